import { type Case, type Change, withHeaders } from '../../../src/requirement/case.ts';
import { casesOf, type Requirement } from '../../../src/requirement/requirement.ts';
import type { Request } from '../service.ts';

/** The header that names the case of a request. */
const HEADER = 'x-cell';

/** The marked cases of all requirements. A mark is the position in this list. */
const cases: Case[] = [];
const marked = new Map<Case, Case>();

/** Returns requirements whose cases send their mark in a header. */
export const withMarks = (requirements: readonly Requirement[]): Requirement[] =>
  requirements.map((requirement) =>
    requirement.cases === undefined
      ? requirement
      : { ...requirement, cases: casesOf(requirement).map(markedCase) },
  );

/** Returns a case that sends its mark. A case of several requirements has one mark. */
function markedCase(testCase: Case): Case {
  const existing = marked.get(testCase);
  if (existing) return existing;
  const place = cases.length;
  const mark = withHeaders({ [HEADER]: `${place}` });
  const change: Change = (usual, context) => {
    const requests = testCase.change(usual, context);
    if (requests === undefined) return undefined;
    if (!Array.isArray(requests)) return mark(requests, context);
    return requests.flatMap((request) => mark(request, context) ?? []);
  };
  const result = { ...testCase, change };
  cases.push(result);
  marked.set(testCase, result);
  return result;
}

/** Returns the case that sent a request; undefined for all other requests. */
export const markOf = ({ headers }: Request): Case | undefined => {
  const mark = headers[HEADER];
  return typeof mark === 'string' ? cases[Number(mark)] : undefined;
};
