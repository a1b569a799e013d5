import { userListError } from '../../../schemas/user-list.ts';
import type { Answer } from '../../http/exchange.ts';
import { type Exchange, isAnswered } from '../../http/exchange.ts';
import { show, textOf } from '../../http/value.ts';
import { known, Missing } from '../evidence.ts';
import { segmentOf } from '../identifier.ts';
import { isPaged, isReadable, ListReader } from '../look.ts';
import { members, recordsIn } from '../record.ts';
import type { Run } from '../run.ts';
import { isKnown } from '../seek.ts';
import type { CaseStep } from '../step.ts';
import { firstKnown, firstUsers } from './first.ts';

/** An identifier that belongs to nobody. */
export interface LookupCase {
  what: string;
  /** The path segments to try, made of the known identifiers: the next where one turns out to be somebody's. */
  segments: (known: string[]) => string[];
  /** Whether a proxy may take the path for that of the list: an encoded slash may be decoded on the way. */
  mayBeList?: boolean;
}

/** What came of asking for it. */
export interface Lookup {
  what: string;
  segment: string;
  exchange: Exchange;
  status: number;
  ok: boolean;
  /** The user that the answer holds, as text, or that it is the list; absent where it holds no user. */
  holds?: string;
}

export const lookups: CaseStep<LookupCase, Lookup> = {
  name: 'identifiers of nobody',
  needs: [firstUsers],
  valid: false,
  each: async (run, { what, segments, mayBeList = false }, connection = 'kept') => {
    const first = firstKnown(run);
    const { second } = known(run.of(firstUsers));
    const others = second instanceof Missing || !isKnown(second) ? [] : [second.identifier.text];
    for (const segment of segments([first.identifier.text, ...others])) {
      const answer = await run.send({ ...run.retrieval(segment), connection });
      const { exchange, status, ok } = answer;
      // No answer yields no user: some servers cut the connection where a path is odd.
      if (!isAnswered(exchange) && exchange.attempts === 0) throw new Missing(`${exchange.failure}`, [exchange]);
      const held = holds(run, answer, mayBeList);
      if (held && (await isSomebodys(run, segment, answer))) continue;
      if (!held && isAnswered(exchange)) run.observe('answer to an unknown identifier', `${status}`);
      return { what, segment, exchange, status, ok, ...(held && { holds: held }) };
    }
    throw new Missing('there is no such identifier that belongs to nobody', [], { excluded: true });
  },
};

/** The user that an answer holds, as text: one of the run's, whatever the status, or a record where users are shown. */
function holds(run: Run, { ok, json }: Answer, mayBeList: boolean): string | undefined {
  const isList = ok && !userListError(json);
  if (isList && mayBeList)
    throw new Missing('a proxy may have taken the path for that of the list', [], { excluded: true });
  const place = firstKnown(run).read.path;
  const records = recordsIn(json).filter(({ record }) => textOf(members(record).email) !== undefined);
  if (isList && records.length > 0) return 'the list';
  const found = records.find(({ record, path }) => {
    const owner = run.ledger.ownerOf(record);
    return owner?.answered === 'created' || (ok && path === place && textOf(members(record).name) !== undefined);
  });
  return found && show(found.record);
}

/** Whether an identifier that was made up belongs to somebody after all: the list shows it so, or can't show all. */
async function isSomebodys(run: Run, segment: string, { ok, json }: Answer): Promise<boolean> {
  const place = firstKnown(run).read.path;
  const held = ok ? recordsIn(json).find(({ path }) => path === place)?.record : undefined;
  if (held === undefined) return false;
  const texts = (record: Record<string, unknown>) => Object.values(record).flatMap((value) => textOf(value) ?? []);
  const shows = (record: Record<string, unknown>) => texts(record).some((text) => segmentOf(text) === segment);
  // A lenient lookup reads what an identifier begins with (`0 OR 1=1` as 0), which is free.
  if (texts(held).some((text) => text !== '' && segment.startsWith(`${segmentOf(text)}%20`))) return true;
  if (!shows(held)) return false;
  const isIt = (item: Record<string, unknown>) => members(item).email === members(held).email && shows(item);
  const reader = new ListReader(run.ledger, { watch: isIt });
  const look = reader.look(await run.send(run.listing(), reader));
  if (!isReadable(look)) return false;
  return isPaged(look) || look.watched.length > 0 || [...look.ours.values()].flat().some(isIt);
}
