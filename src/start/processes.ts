import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { unlessThrown } from '../settings/files.ts';

/** A process of this machine, as Linux shows it in /proc; what can't be read there has ended, or belongs to somebody else. */
export interface Process {
  pid: number;
  /** The name of its program, at most 15 characters. */
  name: string;
  parent: number;
  group: number;
  session: number;
}

/** Every process that runs; undefined on a system without /proc. One that has ended and was not waited for is left out. */
export function allProcesses(): Process[] | undefined {
  const pids = unlessThrown(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
  return pids?.flatMap((pid) => unlessThrown(() => processOf(readFileSync(`/proc/${pid}/stat`, 'latin1'))) ?? []);
}

/**
 * The processes that came of one: its descendants, its group and session, and whatever has `mark` in its environment, which
 * finds a daemon as well. Undefined where the system shows no processes.
 */
export function processesFrom(root: number, mark: string): Process[] | undefined {
  const all = allProcesses()?.filter(({ pid }) => pid !== process.pid);
  const isFrom = ({ pid, group, session }: Process) =>
    [pid, group, session].includes(root) ||
    unlessThrown(() => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark));
  const from = new Set(all?.filter(isFrom));
  // A set that grows is walked to its end.
  for (const { pid } of from) for (const one of all ?? []) if (one.parent === pid) from.add(one);
  return all && [...from];
}

/** The sockets that a process has open, by inode; undefined where the system does not show them. */
export function socketsOf({ pid }: Process): Set<string> | undefined {
  const folder = `/proc/${pid}/fd`;
  const link = (name: string) => unlessThrown(() => readlinkSync(`${folder}/${name}`)) ?? '';
  const files = unlessThrown(() => readdirSync(folder));
  return files && new Set(files.flatMap((name) => /^socket:\[(\d+)\]$/.exec(link(name))?.[1] ?? []));
}

function processOf(stat: string): Process | undefined {
  // The name may hold spaces and parentheses.
  const end = stat.lastIndexOf(')');
  const begin = stat.indexOf('(');
  const [state = '', ...numbers] = stat.slice(end + 2).split(' ');
  if ('ZX'.includes(state)) return undefined;
  const [parent = 0, group = 0, session = 0] = numbers.map(Number);
  return { pid: Number.parseInt(stat, 10), name: stat.slice(begin + 1, end), parent, group, session };
}
