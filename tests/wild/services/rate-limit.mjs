import { rateLimit } from 'express-rate-limit';
import { serveLimited } from './limited-express.mjs';

const { MISTAKE } = process.env;

// Each key has its own limit; all requests without a key share one.
const clientOf = (request) => request.headers.authorization ?? 'no key';
const namesClient = MISTAKE === 'the client in the message';

serveLimited(
  rateLimit({
    windowMs: 1000,
    limit: 50,
    keyGenerator: clientOf,
    message: (request) => ({
      error: namesClient ? `Too many requests from ${clientOf(request)}` : 'Too many requests',
    }),
    statusCode: MISTAKE === '403 for too many' ? 403 : 429,
  }),
);
