import { lookup } from 'node:dns/promises';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { BlockList } from 'node:net';
import { unlessThrown } from '../settings/errors.ts';

/** A running process, as Linux shows it in /proc. */
export interface Process {
  pid: number;
  /** The name of the program, cut by Linux after 15 characters. */
  name: string;
  parent: number;
  group: number;
  session: number;
}

/**
 * Returns the processes that a process has started: its session, processes with `mark` in their
 * environment, such as a daemon, and the descendants of all these. Undefined on a system without
 * /proc.
 */
export function listStartedBy(root: number, mark: string): Process[] | undefined {
  const all = listProcesses()?.filter(({ pid }) => pid !== process.pid);
  if (all === undefined) return undefined;
  const started = new Set(
    all.filter(
      ({ pid, session }) => session === root || readProc(`${pid}/environ`)?.includes(mark),
    ),
  );
  // The loop also visits the processes that it adds.
  for (const { pid } of started) {
    for (const child of all.filter(({ parent }) => parent === pid)) started.add(child);
  }
  return [...started];
}

/** The processes that listen at an address. */
export interface Listeners {
  /** Processes other than the expected ones, such as `nginx (pid 42)`. */
  strangers: string[];
  /** Whether a listening process is unknown: of another user or machine, or without /proc. */
  isHidden: boolean;
}

/** Finds the processes that listen at the host and port of a URL. Expected ones are no strangers. */
export async function findListeners(url: URL, expectedPids: readonly number[]): Promise<Listeners> {
  const sockets = await listeningSockets(url);
  const expected = new Set(expectedPids.flatMap(socketsOf));
  const owners = sockets
    .filter((socket) => !expected.has(socket))
    .map((socket) => listProcesses()?.find(({ pid }) => socketsOf(pid).includes(socket)));
  const strangers = owners.filter((owner) => owner !== undefined);
  return {
    strangers: [...new Set(strangers.map(({ name, pid }) => `${name} (pid ${pid})`))],
    isHidden: sockets.length === 0 || owners.includes(undefined),
  };
}

/** Returns the inodes of the sockets that listen at the host and port of a URL. */
async function listeningSockets({ hostname, port, protocol }: URL): Promise<string[]> {
  const addresses = new BlockList();
  const host = hostname.replace(/^\[|\]$/g, '');
  for (const { address, family } of await lookup(host, { all: true }).catch(() => [])) {
    addresses.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
    if (family === 4) addresses.addAddress('0.0.0.0');
    addresses.addAddress('::', 'ipv6');
  }
  const defaultPort = protocol === 'https:' ? 443 : 80;
  const portInHex = (Number(port) || defaultPort).toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6']
    .flatMap((table) => readProc(`net/${table}`)?.split('\n') ?? [])
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => {
      const [address = '', localPort] = local.split(':');
      return state === LISTENING && localPort === portInHex && isIn(addresses, address);
    })
    .map((columns) => columns[9] ?? '');
}

/** The state of a listening socket in /proc/net/tcp: the kernel's TCP_LISTEN. */
const LISTENING = '0A';

/** Whether addresses contain one from /proc/net/tcp, in which each word of four bytes is reversed. */
function isIn(addresses: BlockList, hex: string): boolean {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.length === 4) return addresses.check(bytes.join('.'));
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  return addresses.check(groups.join(':'), 'ipv6');
}

/** Returns the running processes, without zombies; undefined on a system without /proc. */
function listProcesses(): Process[] | undefined {
  const pids = unlessThrown(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
  return pids?.map(readProcess).filter((process) => process !== undefined);
}

/** Returns the inodes of the open sockets of a process; none if the system hides them. */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const files = unlessThrown(() => readdirSync(folder)) ?? [];
  return files.flatMap((file) => {
    const link = unlessThrown(() => readlinkSync(`${folder}/${file}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  });
}

function readProcess(pid: string): Process | undefined {
  // The name may contain spaces and parentheses.
  const [, name = '', state = '', numbers] =
    /^\d+ \((.*)\) (\S) (.*)/s.exec(readProc(`${pid}/stat`) ?? '') ?? [];
  if (numbers === undefined || 'ZX'.includes(state)) return undefined;
  const [parent = 0, group = 0, session = 0] = numbers.split(' ').map(Number);
  return { pid: Number(pid), name, parent, group, session };
}

/** Reads a file of /proc; undefined if the process has ended or belongs to another user. */
function readProc(path: string): string | undefined {
  return unlessThrown(() => readFileSync(`/proc/${path}`, 'latin1'));
}
