import { lookup } from 'node:dns/promises';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { unlessThrown } from '../settings/errors.ts';

/**
 * A process of this machine, as Linux shows it in /proc; what can't be read there has ended, or belongs to somebody
 * else.
 */
type Process = NonNullable<ReturnType<typeof processOf>>;

/**
 * Every process that runs; undefined on a system without /proc. One that has ended and was not waited for is left out.
 */
export function allProcesses(): Process[] | undefined {
  const pids = unlessThrown(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
  return pids?.flatMap((pid) => processOf(read(`${pid}/stat`) ?? '') ?? []);
}

/** A file of /proc, if it can be read. */
const read = (path: string) => unlessThrown(() => readFileSync(`/proc/${path}`, 'latin1'));

/**
 * The processes that came of one: its descendants, its group and session, and whatever has `mark` in its environment,
 * which finds a daemon as well. Undefined where the system shows no processes.
 */
export function processesFrom(root: number, mark: string): Process[] | undefined {
  const all = allProcesses()?.filter(({ pid }) => pid !== process.pid);
  const isFrom = ({ pid, group, session }: Process) =>
    [pid, group, session].includes(root) || read(`${pid}/environ`)?.includes(mark);
  const from = new Set(all?.filter(isFrom));
  // A set that grows is walked to its end.
  for (const { pid } of from) for (const one of all ?? []) if (one.parent === pid) from.add(one);
  return all && [...from];
}

/** The sockets that a process has open, by inode; undefined where the system does not show them. */
function socketsOf({ pid }: Process): Set<string> | undefined {
  const folder = `/proc/${pid}/fd`;
  const link = (name: string) => unlessThrown(() => readlinkSync(`${folder}/${name}`)) ?? '';
  const files = unlessThrown(() => readdirSync(folder));
  return (
    files && new Set(files.flatMap((name) => /^socket:\[(\d+)\]$/.exec(link(name))?.[1] ?? []))
  );
}

function processOf(stat: string) {
  // The name, at most 15 characters of the program's, may hold spaces and parentheses.
  const [, pid, name = '', state = '', numbers = ''] =
    /^(\d+) \((.*)\) (\S) (.*)/s.exec(stat) ?? [];
  if ('ZX'.includes(state)) return undefined;
  const [parent = 0, group = 0, session = 0] = numbers.split(' ').map(Number);
  return { pid: Number(pid), name, parent, group, session };
}

/** A socket that takes connections, and the number of the user it belongs to. */
type Listener = ReturnType<typeof listenersOn>[number];

/**
 * Looks who listens at the host and port of a URL, by Linux's /proc/net. `ours` are the processes that may; `strangers`
 * are those that may not, such as `nginx (pid 42)`; `isHidden` says whether there is one that the system does not show,
 * or none that it shows. Another system shows nothing, and no system shows what belongs to another machine.
 */
export async function listenersAt({ hostname, port, protocol }: URL, ours: readonly Process[]) {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const all = listenersOn(Number(port) || (protocol === 'https:' ? 443 : 80));
  const found = new Set(addresses.flatMap(({ address }) => takingFor(address, all)));
  const sockets = ours.map(socketsOf);
  const foreign = [...found].filter(({ inode }) => !sockets.some((held) => held?.has(inode)));
  const ownerOf = ({ inode, user }: Listener) => {
    const owner = allProcesses()?.find((one) => socketsOf(one)?.has(inode));
    if (owner) return `${owner.name} (pid ${owner.pid})`;
    // None of ours, unless one of ours has changed its user, so that it does not show its sockets.
    const mayBeOurs = sockets.includes(undefined) || user === process.getuid?.();
    return mayBeOurs ? undefined : `a process of another user (uid ${user})`;
  };
  const owners = foreign.map(ownerOf);
  return {
    // While sockets come and go, the system may list one twice.
    strangers: [...new Set(owners.filter((one) => one !== undefined))],
    isHidden: found.size === 0 || owners.includes(undefined),
  };
}

/** Those that get the connections to an address: one that listens at that very address comes before those at all. */
function takingFor(address: string, all: readonly Listener[]): Listener[] {
  const exact = address === '0.0.0.0' ? '127.0.0.1' : address;
  const ranks = isIPv4(exact)
    ? [[exact, normal(`::ffff:${exact}`)], ['0.0.0.0'], ['::']]
    : [[normal(exact)], ['::']];
  const ofRank = ranks.map((places) => all.filter((one) => places.includes(one.address)));
  return ofRank.find(({ length }) => length > 0) ?? [];
}

function listenersOn(port: number) {
  const rows = ['tcp', 'tcp6'].flatMap((table) => read(`net/${table}`)?.split('\n') ?? []);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , user, , inode = ''] = row.trim().split(/\s+/);
    const [address = '', own = ''] = local.split(':');
    // The kernel's number of the state of a socket that listens.
    const isOne = state === '0A' && Number.parseInt(own, 16) === port;
    return isOne ? [{ address: decoded(address), inode, user: Number(user) }] : [];
  });
}

/** An address as the kernel prints it: words of four bytes, the last byte first. */
function decoded(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32();
  return bytes.length === 4
    ? [...bytes].join('.')
    : normal((bytes.toString('hex').match(/.{4}/g) ?? []).join(':'));
}

/** An IPv6 address in its shortest form. */
const normal = (address: string) =>
  unlessThrown(() => new URL(`http://[${address}]`).hostname.slice(1, -1)) ?? address;
