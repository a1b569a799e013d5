import type { Topic } from '../../src/conduct/topic.ts';
import { type CredentialCase, type Operation, PATH } from '../../src/plan/steps/credentials.ts';
import { on, withoutKey } from '../authentication.ts';
import { otherSpellings, trustedHeaders } from '../guard.ts';
import { isHarmless, trustedLines } from '../ways-in.ts';
import { attempts } from './credentials.ts';
import { eachTrick, oneAtATime, severalTricks } from './operations.ts';
import { lines } from './words.ts';

/**
 * A spelling of the path, which a guard may take for another than a router does: first of the base address's, behind a space of
 * the rest. In it `{/id}` stands for an identifier that follows, with what separates it; behind a percent sign its first
 * character is encoded. Dot segments are not sent.
 */
function spelled(text: string): Pick<CredentialCase, 'spelling' | 'base'> {
  const [base = '', below = ''] = text.split(' ');
  const [authority = ''] = /^https?:\/\/[^/]+/.exec(base) ?? [];
  return {
    // What stands before the version stays.
    base: (own) => authority + own.replace(/\/v1$/, '') + base.slice(authority.length),
    spelling: (path) => {
      const id = path.slice('/users/'.length);
      return below.replace(/\{(.+)id\}/, (_, before: string) => {
        const first = before.endsWith('%') ? id.charCodeAt(0).toString(16) : id.charAt(0);
        return id === '' ? '' : before + first + id.slice(1);
      });
    },
  };
}

const believed = (operation: Operation, some: string[]) => {
  const fields = some.map((line) => /^([^:]+): ?(.*)$/.exec(line) as unknown as [string, string, string]);
  const cookies = fields.flatMap(([, name, value]) => (name === 'Cookie' ? value : []));
  const headers: Record<string, string> = {
    ...Object.fromEntries(fields.map(([, name, value]) => [name.toLowerCase(), value])),
    // Of one name the last counts, but cookies have room for each other.
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  };
  const spelling = Object.values(headers).includes(PATH) ? { spelling: () => '/' } : {};
  return on(operation, some.join(', '), { headers, unless: withoutKey(operation), ...spelling });
};

export const guard: Topic[] = [
  attempts({
    what: 'spellings of the path without the key',
    params: eachTrick(lines('spellings')),
    toCase: ({ operation, trick }) => {
      return on(operation, `the path as ${trick.replace(' ', '')}`, {
        ...spelled(trick),
        unless: withoutKey(operation),
      });
    },
    perRound: 160,
    part: otherSpellings,
  }),
  attempts({
    what: 'headers of proxies without the key',
    params: eachTrick(trustedLines.filter((line) => !isHarmless(line))),
    toCase: ({ operation, trick }) => believed(operation, [trick]),
    perRound: 50,
    part: trustedHeaders,
  }),
  attempts({
    what: 'many headers of proxies without the key',
    params: severalTricks(trustedLines.filter(isHarmless), 12),
    toCase: ({ operation, tricks }) => believed(operation, tricks),
    perRound: 21,
    part: trustedHeaders,
    smaller: oneAtATime,
  }),
];
