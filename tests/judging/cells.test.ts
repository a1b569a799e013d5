import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { readHistory } from '../../src/history/file.ts';
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
import { isFailing } from '../../src/requirement/judge.ts';
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

/** A service that responds wrongly to the requests of one case. */
interface Cell {
  slug: string;
  name: string;
  requirement: Requirement;
  testCase: Case;
  patch: Patch;
  /**
   * The cases that the run sends: this one, or also those that the requirement compares it with.
   */
  sends: 'case' | 'requirement' | 'everything';
}

const all = withMarks(requirements);

/** Requirements that do not judge their own cases; others do. */
const OF_OTHERS = ['versioning.base-address'];

const cells = all
  .filter(({ slug }) => !OF_OTHERS.includes(slug))
  .flatMap((requirement) =>
    casesOf(requirement).flatMap((testCase) => cellsOf(requirement, testCase)),
  );

function cellsOf(requirement: Requirement, testCase: Case): Cell[] {
  const { slug } = requirement;
  const name = `${testCase.operation}: ${testCase.name}`;
  if (judgesFollowUps(requirement)) {
    return operationsAfter(testCase).map(
      (operation): Cell => ({
        slug,
        name: `${operation} fails once after ${name}`,
        requirement,
        testCase,
        patch: failsAfter(testCase, operation),
        sends: 'case',
      }),
    );
  }
  // Other cases are compared with this case, which is not judged itself.
  if (slug === 'authentication.before-all-else' && testCase.name === 'a wrong key') return [];
  const sends = sentBy(slug, testCase);
  const wrong = wrongWith(requirement, testCase);
  const patch: Patch = (service) => {
    if (testCase.name.startsWith('the JWT')) service.key = JWT;
    wrong(service);
  };
  return [{ slug, name, requirement, testCase, patch, sends }];
}

/** Only requests with a body are followed by a creation, so that a run creates few users. */
function operationsAfter({ operation }: Case): readonly Operation[] {
  return operation === CREATE ? OPERATIONS : [LIST, RETRIEVE];
}

function sentBy(slug: string, testCase: Case): Cell['sends'] {
  if (slug === 'authentication.before-all-else') return 'requirement';
  // A user who may exist already is compared with a second user.
  return slug === 'create.answers' && testCase.expected === 'either' ? 'everything' : 'case';
}

/** The number of cells that one run judges: most of its time does not depend on the cases. */
const CELLS_PER_RUN = 8;

/** The failed cases of the runs that several cells share. */
const sharedRuns = new Map<Cell, Promise<Set<string>>>();

/** Returns the cells that one run judges together with a cell, itself included. */
function cellsBeside(cell: Cell): Cell[] {
  const ofRequirement = cells.filter(
    ({ slug, requirement, sends }) =>
      slug === cell.slug && sends === 'case' && !judgesFollowUps(requirement),
  );
  const place = ofRequirement.indexOf(cell);
  if (place < 0) return [];
  const first = place - (place % CELLS_PER_RUN);
  return ofRequirement.slice(first, first + CELLS_PER_RUN);
}

/** Whether the requirement of a cell fails by its case in a run in which other cases fail as well. */
async function failsBesideOthers(cell: Cell): Promise<boolean> {
  const [first, ...others] = cellsBeside(cell);
  if (first === undefined || others.length === 0) return false;
  const failed = sharedRuns.get(first) ?? judgeCells(first, others).then(failedCasesOf(first));
  sharedRuns.set(first, failed);
  return (await failed).has(keyOf(cell.testCase));
}

/** Returns a function that returns the cases by which the requirement of a cell fails in a run. */
const failedCasesOf =
  ({ slug, requirement }: Cell) =>
  (run: JudgedRun): Set<string> => {
    if (run.faults.length > 0 || !run.slugs('failed').includes(slug)) return new Set();
    const history = readHistory(JSON.parse(JSON.stringify(run.history())));
    const failed = history.results.filter(
      (result) =>
        result.slugs.includes(slug) &&
        !result.isUnconfirmed &&
        isFailing(requirement, result, history),
    );
    return new Set(failed.map(keyOf));
  };

/** Returns the text that identifies a case of a requirement. */
const keyOf = ({ operation, name }: Pick<Case, 'operation' | 'name'>): string =>
  `${operation} ${name}`;

/** Judges the requirement of some cells, by their cases or by all of its cases. */
async function judgeCells(first: Cell, others: readonly Cell[] = []): Promise<JudgedRun> {
  const { requirement, sends } = first;
  const together = [first, ...others];
  const testCases = together.flatMap(({ testCase }) => [
    testCase,
    ...casesBeside(requirement, testCase),
  ]);
  const alone = sends === 'case' ? { ...requirement, cases: [...new Set(testCases)] } : requirement;
  // A requirement that asks for everything would send the cases of all others.
  const isWhole = requirement.needs === 'everything';
  const sent = isWhole ? [alone] : all.map((other) => (other === requirement ? alone : other));
  const patches = together.map(({ patch }) => patch);
  return judge(patches, { requirements: sent, only: [requirement.slug] });
}

/** A rejected list can only show a user if the run creates one. A retrieval needs a user. */
function casesBeside(requirement: Requirement, testCase: Case): Case[] {
  if (requirement.slug !== 'authentication.refusal-shows-no-user' || testCase.operation !== LIST)
    return [];
  return casesOf(requirement)
    .filter(({ operation }) => operation === RETRIEVE)
    .slice(0, 1);
}

/** Judges a cell by a whole run. Some cases need integer identifiers, or values of other cases. */
const judgeWhole = ({ patch }: Cell): Promise<JudgedRun> =>
  judge([withIntegers, patch], { requirements: all });

async function judge(patches: Patch[], options: JudgeOptions): Promise<JudgedRun> {
  const service = await startHere(withPeople, acceptsOnlyJson, withCookiesAndTags, ...patches);
  // Each missing response costs the whole timeout.
  return judgeAll(service, { timeoutMs: 400 }, options).finally(service.close);
}

const wasSkipped = ({ testCase }: Cell, run: JudgedRun): boolean =>
  run
    .skipped()
    .some(({ name, operation }) => name === testCase.name && operation === testCase.operation);

describe.concurrent('a service that does one case wrong fails the requirement', () => {
  test.for(cells)('$slug: $name', async (cell) => {
    if (await failsBesideOthers(cell)) return;
    const alone = cell.sends === 'everything' ? undefined : await judgeCells(cell);
    const run = alone === undefined || wasSkipped(cell, alone) ? await judgeWhole(cell) : alone;
    const outcome = run.outcomes.find(({ slug }) => slug === cell.slug);
    expect(run.faults).toEqual([]);
    expect(outcome?.outcome, outcome?.reason).toBe('failed');
  });
});

describe('a service that fails the request directly after a negative one fails the requirement', () => {
  const slug = 'http.survives-bad-requests';
  const survival = all.find((requirement) => requirement.slug === slug) as Requirement;
  const negative = new Set(casesOf(survival));

  test.for(OPERATIONS)('if it is %s', async (operation) => {
    const patches = [failsDirectlyAfter(negative, operation)];
    const run = await judge(patches, { requirements: all, only: [slug] });
    expect(run.slugs('failed')).toEqual([slug]);
  });
});

test('a negative case changes the usual request', () => {
  const negative = cells
    .filter(({ testCase }) => !isValidCase(testCase))
    .map(({ testCase }) => testCase);
  expect(negative.length).toBeGreaterThan(500);
  expect(negative.filter(({ change }) => change === asUsual)).toEqual([]);
});
