import { into, type Topic } from '../../src/conduct/topic.ts';
import { type CredentialCase, MARK, type Operation } from '../../src/plan/steps/credentials.ts';
import { without } from '../authentication.ts';
import { otherSpellings, trustedHeaders } from '../guard.ts';
import { isHarmless, trustedLines } from '../ways-in.ts';
import { tricks } from './operations.ts';
import { header, lines } from './words.ts';

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

const believed = (operation: Operation, ...all: string[]) => {
  const fields = all.map(header);
  const cookies = fields.flatMap(([name, value]) => (name === 'cookie' ? value : []));
  const headers: Record<string, string> = {
    ...Object.fromEntries(fields),
    // Of one name the last counts, but cookies have room for each other.
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  };
  const spelling = Object.values(headers).includes(MARK.path) ? { spelling: () => '/' } : {};
  return without(operation, all.join(', '), { headers, ...spelling });
};

const [harmless, harmful] = [trustedLines.filter(isHarmless), trustedLines.filter((line) => !isHarmless(line))];
/** So many headers go with one request: where one of them fails, making it small finds which. */
const TOGETHER = 16;

export const guard: Topic[] = [
  tricks(
    'spellings of the path without the key',
    lines('spellings'),
    (operation, trick = '') => without(operation, `the path as ${trick.replace(' ', '')}`, spelled(trick)),
    [into(otherSpellings)],
  ),
  tricks('headers of proxies without the key', harmful, believed, [into(trustedHeaders)]),
  tricks('many headers of proxies without the key', harmless, believed, [into(trustedHeaders)], { atOnce: TOGETHER }),
];
