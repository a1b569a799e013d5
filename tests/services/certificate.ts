import { generate } from 'selfsigned';

/** A certificate for localhost that nobody trusts, valid from and to so many days from now. */
export function certificate(from: number, to: number) {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000);
  return generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: day(from),
    notAfterDate: day(to),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
}
