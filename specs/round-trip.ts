import { show } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { createUser, recordOf } from '../src/plan/known-user.ts';
import type { NewUser } from '../src/plan/users.ts';
import { chapter, interfaceDocument, must, rfc, should } from '../src/requirement/requirement.ts';

/** A value that a service may refuse, but not change. `name` and `email` make it from a plain one. */
interface Unusual {
  what: string;
  name?: (plain: string) => string;
  email?: (plain: string) => string;
}

/** Each kind breaks in another way: a wrong charset, a code page, a font's normalisation, a direction. All are NFC. */
const beyondAscii: Unusual[] = [
  { what: 'Latin letters with accents', name: (plain) => `Zoë Ñandú ${plain}` },
  { what: 'letters beyond Latin-1', name: (plain) => `Łucja Őry Ştefan ${plain}` },
  { what: 'Greek and Cyrillic letters', name: (plain) => `Ελένη Жанна ${plain}` },
  { what: 'Chinese and Japanese characters', name: (plain) => `山田さくら ${plain}` },
  { what: 'Hebrew and Arabic letters', name: (plain) => `שרה عمر ${plain}` },
  { what: 'compatibility letters', name: (plain) => `ﬁona ＡＢ ${plain}` },
];

const others: Unusual[] = [
  { what: 'emoji', name: (plain) => `👩‍💻 ${plain} 🎉` },
  { what: 'quotes and a backslash', name: (plain) => `O'Brien "Bob" \\ ${plain}` },
  { what: 'markup', name: (plain) => `<b>${plain}</b> &amp; <script>` },
  { what: 'SQL and template characters', name: (plain) => `'; -- ${plain} {{7*7}} \${7*7} %s` },
  { what: 'text with direction controls', name: (plain) => `\u202e${plain}\u202c \u200fשרה\u200e` },
  { what: 'inner and outer spaces', name: (plain) => `  ${plain.replace(' ', '   ')}  ` },
  { what: '1,000 characters', name: (plain) => `${plain} ${'x'.repeat(999 - plain.length)}` },
  { what: 'an email with a tag', email: (plain) => plain.replace('@', '+tag@') },
  { what: 'an email with capital letters', email: (plain) => plain.replace('conformance', 'Conformance') },
];

/** Each of these, where the service accepts it, comes back unchanged; an email's case may be folded. */
function comeBack(cases: Unusual[]) {
  return async (check: Check) => {
    check.mayCreate();
    await check.each(
      cases,
      ({ what }) => what,
      async ({ name, email }) => {
        const plain = check.session.newUser();
        const sent: NewUser = { name: name?.(plain.name) ?? plain.name, email: email?.(plain.email) ?? plain.email };
        const user = await createUser(check, sent, 'unusual');
        const record = recordOf(check, user.retrieved, user)?.record;
        const exchanges = [...(user.created ? [user.created] : []), user.retrieved.exchange];
        check.that(record?.name === sent.name, `the name ${show(sent.name)}`, show(record?.name), ...exchanges);
        const folded = String(record?.email).toLowerCase() === sent.email.toLowerCase();
        check.that(folded, `the email ${show(sent.email)}`, show(record?.email), ...exchanges);
      },
    );
  };
}

export const roundTrip = chapter('Round trip', [
  must('round-trip.letters-beyond-ascii', {
    needs: ['create.concurrent'],
    source: interfaceDocument('User'),
    sentence: 'A name with letters outside ASCII that the service accepted comes back unchanged.',
    check: comeBack(beyondAscii),
  }),

  should('round-trip.other-strings', {
    needs: ['create.concurrent'],
    source: rfc(8259, '8.3'),
    sentence: 'Every other string that the service accepted as a name or email comes back unchanged.',
    check: comeBack(others),
  }),
]);
