import { allHaveBoth, bothWays } from '../tests/judged-by-hand.ts';
import { creation, tried, user } from '../tests/made-evidence.ts';

const sent = () => creation('zoe@example.com', 'Zoë Ñandú');
const [unchanged, changed] = [user('a', {}, sent()), user('b', { name: 'Zo? ?and?' }, sent())];

for (const slug of ['round-trip.letters-beyond-ascii', 'round-trip.other-strings'])
  bothWays(slug, { users: [tried(unchanged)] }, { users: [tried(changed)] }, 'expected the name "Zoë Ñandú"');

allHaveBoth('round-trip');
