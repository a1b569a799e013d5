import type { Guides } from '../../src/requirement/guide.ts';
import { choices } from '../choices.ts';
import { authentication } from './authentication.ts';
import { creations } from './creations.ts';
import type { Entries } from './entry.ts';
import { guard } from './guard.ts';
import { http } from './http.ts';
import { lists } from './lists.ts';
import { reads } from './reads.ts';
import { versioning } from './versioning.ts';

const entries: Entries = {
  ...versioning,
  ...authentication,
  ...guard,
  ...lists,
  ...creations,
  ...reads,
  ...http,
};

/** A guide for each requirement, with the choices of the interface that limit it. */
export const guides: Guides = Object.fromEntries(
  Object.entries(entries).map(([slug, { free, ...guide }]) => {
    const named = choices.filter(({ limits }) => limits.includes(slug));
    const own = free === undefined ? [] : [free];
    return [slug, { ...guide, freedoms: [...own, ...named.map(({ sentence }) => sentence)] }];
  }),
);
