import { createSecureContext } from 'node:tls';
import { readUpTo } from './files.ts';
import { SettingsError } from './settings-error.ts';

/** How TLS is spoken where the defaults will not do, all in PEM. */
export interface Tls {
  /** The certificate by which the suite says who it is, and its private key. */
  cert?: string;
  key?: string;
  /** A certificate authority that is trusted besides those that Node trusts. */
  ca?: string;
}

/** Bytes of a file for TLS: all the authorities that a system trusts are a quarter of it. */
const LIMIT = 1024 * 1024;

type File = { path: string; name: string } | undefined;

/** Reads the files for TLS; undefined where none is named. Throws a SettingsError. */
export function readTls(cert: File, key: File, ca: File): Tls | undefined {
  if ((cert === undefined) !== (key === undefined)) {
    throw new SettingsError('CONFORMANCE_CLIENT_CERT and CONFORMANCE_CLIENT_KEY go together: one of them is missing.');
  }
  if (!cert && !ca) return undefined;
  const tls: Tls = {
    ...(cert && { cert: readPem('CONFORMANCE_CLIENT_CERT', cert, 'CERTIFICATE') }),
    ...(key && { key: readPem('CONFORMANCE_CLIENT_KEY', key, 'PRIVATE KEY') }),
    ...(ca && { ca: readPem('CONFORMANCE_CA', ca, 'CERTIFICATE') }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingsError(`The files for TLS can't be used: ${reasons[code ?? ''] ?? message}.`);
  }
  return tls;
}

const reasons: Record<string, string> = {
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'CONFORMANCE_CLIENT_KEY is the key of another certificate',
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED:
    'CONFORMANCE_CLIENT_KEY is encrypted, and the suite cannot ask for its password',
};

function readPem(variable: string, { path, name }: NonNullable<File>, kind: string): string {
  const refuse = (why: string) => new SettingsError(`${variable} is "${name}", which ${why}.`);
  const text = readUpTo(path, LIMIT, refuse).toString();
  if (new RegExp(`^-----BEGIN [A-Z0-9 ]*${kind}-----$`, 'm').test(text)) return text;
  throw refuse(`holds no ${kind.toLowerCase()} in PEM`);
}
