import { type Case, type Change, withHeaders } from '../../../src/requirement/case.ts';
import { casesOf, type Requirement } from '../../../src/requirement/requirement.ts';
import type { Request } from '../service.ts';

/** Names the case of a request, so that a service knows it without guessing. */
const HEADER = 'x-cell';

/** The cases of all requirements; a case is named by its place. */
const cases: Case[] = [];
const marked = new Map<Case, Case>();

/** Returns requirements whose cases name themselves in a header. */
export const withMarks = (requirements: readonly Requirement[]): Requirement[] =>
  requirements.map((requirement) =>
    requirement.cases === undefined
      ? requirement
      : { ...requirement, cases: casesOf(requirement).map(markedCase) },
  );

/** Several requirements may declare one case, which stays one. */
function markedCase(one: Case): Case {
  const known = marked.get(one);
  if (known) return known;
  const place = cases.length;
  const mark = withHeaders({ [HEADER]: `${place}` });
  const change: Change = (usual, context) => {
    const requests = one.change(usual, context);
    if (requests === undefined) return undefined;
    if (!Array.isArray(requests)) return mark(requests, context);
    return requests.flatMap((request) => mark(request, context) ?? []);
  };
  const result = { ...one, change };
  cases.push(result);
  marked.set(one, result);
  return result;
}

/** Returns the case that sent a request; undefined for all other requests. */
export const markOf = ({ headers }: Request): Case | undefined => {
  const mark = headers[HEADER];
  return typeof mark === 'string' ? cases[Number(mark)] : undefined;
};
