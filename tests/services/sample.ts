/** `npm run test:wild -- --mode thorough`: the services of frameworks are explored in depth. */
export const isThorough = process.env.MODE === 'thorough';
