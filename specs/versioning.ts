import { schemaError } from '../schemas/validate.ts';
import { isSuccess } from '../src/http/exchange.ts';
import { BEARER, type Check } from '../src/plan/check.ts';
import { firstList } from '../src/plan/known-user.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';

const rule1 = interfaceDocument('Versioning, rule 1');

/** Whether `GET /users` below a base path, with the key, is answered with a user list. */
async function answersAsList(check: Check, basePath: string) {
  const headers = { accept: 'application/json', ...BEARER };
  const { json, exchange } = await check.send({ method: 'GET', path: `${basePath}/users`, headers });
  return { is: isSuccess(exchange) && !schemaError('user-list.schema.json', json, 'body'), exchange };
}

/** The list does not answer where `segment` stands in place of the version. */
function notAnsweredAt(segment: string) {
  return async (check: Check) => {
    const { basePath } = check.session.client;
    if (!basePath.endsWith('/v1')) check.notApplicable('the base address does not end in /v1');
    const elsewhere = basePath.replace(/\/v1$/, segment);
    const { is, exchange } = await answersAsList(check, elsewhere);
    check.that(!is, `no user list at ${elsewhere}/users`, `${exchange.response?.status} with one`, exchange);
  };
}

function endsInV1(check: Check): boolean {
  return /\/v1\/?$/.test(new URL(check.session.target.baseUrl).pathname);
}

/**
 * The base address that was meant, where only the setting is wrong: the one that was given does not answer, and with /v1
 * behind it a user list does. Undefined otherwise.
 */
export async function rightBase(check: Check): Promise<string | undefined> {
  if (endsInV1(check) || (await firstList(check)).ok) return undefined;
  const { is } = await check.fact('list at /v1', (finder) =>
    answersAsList(finder, `${finder.session.client.basePath}/v1`),
  );
  return is ? `${check.session.target.baseUrl.replace(/\/+$/, '')}/v1` : undefined;
}

export const versioning = chapter('Versioning', [
  must('versioning.base-address', {
    source: rule1,
    sentence: "The base address's last path segment is v1.",
    check: async (check) => {
      const { baseUrl } = check.session.target;
      check.judged += 1;
      if (endsInV1(check)) return;
      const right = await rightBase(check).catch(() => undefined);
      const hint = right ? `; a user list answers at ${right}: did you mean BASE_URL=${right}?` : '';
      check.fail({ expected: 'BASE_URL ending in /v1', got: `${baseUrl}${hint}`, exchanges: [] });
    },
  }),

  should('versioning.needs-segment', {
    source: rfc(3986, '3.3'),
    sentence: 'The address without the version segment does not answer as this interface.',
    check: notAnsweredAt(''),
  }),

  should('versioning.unknown-version', {
    source: rfc(3986, '3.3'),
    sentence: 'An address with a version that does not exist does not answer as this interface.',
    check: notAnsweredAt('/v999999'),
  }),
]);
