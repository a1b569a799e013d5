import { generate } from 'selfsigned';

/**
 * Makes a self-signed certificate for localhost. Its validity begins and ends so many days from
 * now; a negative number is in the past.
 */
export function certificate(fromDays: number, toDays: number) {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  return generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: inDays(fromDays),
    notAfterDate: inDays(toDays),
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
