import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Operation } from '../../src/history/history.ts';
import {
  asUsual,
  type Case,
  CREATE,
  isValidCase,
  LIST,
  OPERATIONS,
  RETRIEVE,
} from '../../src/requirement/case.ts';
import { casesOf, type Requirement } from '../../src/requirement/requirement.ts';
import { type JudgedRun, type JudgeOptions, judgeAll } from '../run.ts';
import {
  acceptsOnlyJson,
  failsAfter,
  failsDirectlyAfter,
  judgesFollowUps,
  withCookiesAndTags,
  withIntegers,
  wrongWith,
} from '../services/cells/faults.ts';
import { withMarks } from '../services/cells/mark.ts';
import { startHere } from '../services/here.ts';
import { type Patch, withPeople } from '../services/service.ts';
import { JWT } from '../services/variants/in-the-wild.ts';

/** A service that does the requests of one case wrong. */
interface Cell {
  slug: string;
  name: string;
  requirement: Requirement;
  one: Case;
  patch: Patch;
  /** What the run sends: the case alone, or more, because the requirement compares it with that. */
  sends: 'case' | 'requirement' | 'everything';
}

const all = withMarks(requirements);

/** Requirements whose cases are only sent so that others judge them. */
const OF_OTHERS = ['versioning.base-address'];

const cells = all
  .filter(({ slug }) => !OF_OTHERS.includes(slug))
  .flatMap((requirement) => casesOf(requirement).flatMap((one) => cellsOf(requirement, one)));

function cellsOf(requirement: Requirement, one: Case): Cell[] {
  const { slug } = requirement;
  const name = `${one.operation}: ${one.name}`;
  if (judgesFollowUps(requirement)) {
    return operationsAfter(one).map(
      (operation): Cell => ({
        slug,
        name: `${operation} fails once after ${name}`,
        requirement,
        one,
        patch: failsAfter(one, operation),
        sends: 'case',
      }),
    );
  }
  // Others are compared with it; it is not judged itself.
  if (slug === 'authentication.before-all-else' && one.name === 'a wrong key') return [];
  const sends = whatRunSends(slug, one);
  const wrong = wrongWith(requirement, one);
  const patch: Patch = (service) => {
    if (one.name.startsWith('the JWT')) service.key = JWT;
    wrong(service);
  };
  return [{ slug, name, requirement, one, patch, sends }];
}

/** A creation follows requests with a body alone, so that a run creates few users. */
function operationsAfter({ operation }: Case): readonly Operation[] {
  return operation === CREATE ? OPERATIONS : [LIST, RETRIEVE];
}

function whatRunSends(slug: string, one: Case): Cell['sends'] {
  if (slug === 'authentication.before-all-else') return 'requirement';
  // A user who may be there already is compared with a second user.
  return slug === 'create.answers' && one.expected === 'either' ? 'everything' : 'case';
}

/** Judges the requirement of a cell, by its case or by all of its cases. */
async function judgeCell({ requirement, one, sends, patch }: Cell): Promise<JudgedRun> {
  const beside = casesBeside(requirement, one);
  const alone = sends === 'case' ? { ...requirement, cases: [one, ...beside] } : requirement;
  // A requirement that asks for everything would send the cases of all others.
  const isWhole = requirement.needs === 'everything';
  const sent = isWhole ? [alone] : all.map((other) => (other === requirement ? alone : other));
  return judge([patch], { requirements: sent, only: [requirement.slug] });
}

/** Only a run with a user can show one: a retrieval needs a user. */
function casesBeside(requirement: Requirement, one: Case): Case[] {
  if (requirement.slug !== 'authentication.refusal-shows-no-user' || one.operation !== LIST)
    return [];
  return casesOf(requirement)
    .filter(({ operation }) => operation === RETRIEVE)
    .slice(0, 1);
}

/** Judges it by a whole run: some cases are made of integer identifiers, or of what others sent. */
const judgeWhole = ({ patch }: Cell): Promise<JudgedRun> =>
  judge([withIntegers, patch], { requirements: all });

async function judge(patches: Patch[], options: JudgeOptions): Promise<JudgedRun> {
  const service = await startHere(withPeople, acceptsOnlyJson, withCookiesAndTags, ...patches);
  // A response that never comes is waited for this long.
  return judgeAll(service, { timeoutMs: 400 }, options).finally(service.close);
}

const wasSkipped = ({ one }: Cell, run: JudgedRun): boolean =>
  run.skipped.some(({ name, operation }) => name === one.name && operation === one.operation);

describe.concurrent('a service that does one case wrong fails the requirement', () => {
  test.for(cells)('$slug: $name', async (cell) => {
    const alone = cell.sends === 'everything' ? undefined : await judgeCell(cell);
    const run = alone === undefined || wasSkipped(cell, alone) ? await judgeWhole(cell) : alone;
    const outcome = run.outcomes.find(({ slug }) => slug === cell.slug);
    expect(run.faults).toEqual([]);
    expect(outcome?.outcome, outcome?.reason).toBe('failed');
  });
});

describe('a service that fails the request directly after a negative one fails the requirement', () => {
  const slug = 'http.survives-bad-requests';
  const survival = all.find((one) => one.slug === slug) as Requirement;
  const negative = new Set(casesOf(survival));

  test.for(OPERATIONS)('if it is %s', async (operation) => {
    const patches = [failsDirectlyAfter(negative, operation)];
    const run = await judge(patches, { requirements: all, only: [slug] });
    expect(run.slugs('failed')).toEqual([slug]);
  });
});

test('a negative case changes the usual request', () => {
  const negative = cells.filter(({ one }) => !isValidCase(one)).map(({ one }) => one);
  expect(negative.length).toBeGreaterThan(500);
  expect(negative.filter(({ change }) => change === asUsual)).toEqual([]);
});
