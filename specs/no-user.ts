import { Missing, type OrMissing } from '../src/plan/evidence.ts';
import type { Look } from '../src/plan/look.ts';
import { type FirstUsers, whyUnknown } from '../src/plan/steps/first.ts';
import { type Finding, missing, notApplicable, notVerified } from '../src/requirement/finding.ts';

/** Why there is no user of the run to judge: none may be created, or the first one could not be created or retrieved. */
export function whyNoUser(users: OrMissing<FirstUsers>): Finding {
  if (users instanceof Missing) return missing(users);
  const isReadOnly = users.first.creation.exchange === undefined;
  return isReadOnly ? notApplicable('read-only: nothing is created') : missing(whyUnknown(users.first));
}

/** Why a list that can't be read is not judged. */
export function unreadList({ exchange }: Look): Finding {
  return notVerified(exchange.failure ?? "the list response can't be read", exchange);
}
