import { slowDown } from 'express-slow-down';
import { serveLimited } from './limited-express.mjs';

// The example of the package's README: each further request takes 100 ms longer.
serveLimited(slowDown({ windowMs: 15 * 60_000, delayAfter: 5, delayMs: (hits) => hits * 100 }));
