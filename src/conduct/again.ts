import { unflatten } from 'devalue';
import { LosslessNumber } from '../http/value.ts';
import { caseName, Missing, type Yields } from '../plan/evidence.ts';
import type { RunRecord } from '../plan/run.ts';
import { whyOpen } from '../plan/service-end.ts';
import { isOpen, type Judged, judge, leftOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

/** What of a run is needed to judge it again: plain JSON, without the key. */
export interface Evidence {
  /** What the plan has shown, as `writeRecord` writes it. */
  record: unknown[];
  /** What was found out in another way, by drawn cases or about who listens at the address: it is taken as it was. */
  outcomes: Outcome[];
}

/**
 * Judges a run again by its evidence alone, and sends nothing. `absent` says why something is not there. Returns also
 * every exchange of the plan, and for each check that crashed a sentence: the evidence is not of the kind that it
 * takes. Throws where the record is none.
 */
export function judgeAgain(evidence: Evidence, requirements: readonly Requirement[], absent: string) {
  const record = readRecord(evidence.record);
  const missing = new Missing(absent);
  const of: Yields['of'] = ({ name }, one) => (record.cases.get(name)?.get(caseName(one)) ?? missing) as never;
  // What is in the record was shown.
  const redact = (text: string, limit = text.length) => text.slice(0, limit);
  const all = requirements.map((requirement): Judged => {
    const outcome = evidence.outcomes.find(({ slug }) => slug === requirement.slug);
    // It says what else could not be verified because of it.
    if (outcome) return { requirement, outcome, findings: [outcome] };
    const judged = judge(requirement, { ...record, of }, redact);
    return record.ended && isOpen(judged) ? leftOpen(judged, whyOpen(record.ended), redact) : judged;
  });
  return {
    outcomes: withRoots(all) as Outcome[],
    record: record.record,
    faults: all.flatMap(({ fault }) => fault ?? []),
  };
}

/** What is in a record besides objects, arrays and scalars. */
const TYPES = ['Map', 'Set', 'Missing', 'Number'];

/**
 * Reads a record that anybody may have written: data of the kinds that the suite writes, and nothing else. Throws where
 * it is of another kind; what is in it is checked by whoever judges it.
 */
function readRecord(written: readonly unknown[]): RunRecord {
  // An array that is mostly empty is marked by -7.
  const isOther = (slot: unknown) =>
    Array.isArray(slot) && (typeof slot[0] === 'string' ? !TYPES.includes(slot[0]) : slot[0] === -7);
  if (written.some(isOther)) throw new TypeError('it holds what no record holds');
  const record = unflatten([...written], {
    Missing: ([why, exchanges, excluded]) => new Missing(why, exchanges, { excluded }),
    // What was a part of the key is a text by now.
    Number: (digits) => (Number.isNaN(Number(digits)) ? digits : new LosslessNumber(digits)),
  });
  const { bad, cases, ...lists } = record;
  const isWhole =
    bad instanceof Set &&
    [cases, ...(cases instanceof Map ? cases.values() : [])].every((one) => one instanceof Map) &&
    [lists.record, lists.looks, lists.creations, lists.culprits].every(Array.isArray);
  if (!isWhole) throw new TypeError('a part of it is missing');
  return record;
}
