import { expect, test } from 'vitest';
import { proxyFor, readProxies } from './proxies.ts';
import { readSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

test.each([
  ['proxy.corp:8080', 'http://proxy.corp:8080'],
  ['proxy', 'http://proxy'],
  [' http://proxy.corp:8080 ', 'http://proxy.corp:8080'],
  ['https://me:p%40ss@proxy.corp', 'https://me:p%40ss@proxy.corp'],
  ['[::1]:8080', 'http://[::1]:8080'],
])('HTTP_PROXY=%s is a proxy', (given, httpProxy) => {
  expect(readProxies({ HTTP_PROXY: given })).toEqual({ httpProxy });
  expect(readProxies({ https_proxy: given, HTTPS_PROXY: 'other' })).toEqual({ httpsProxy: httpProxy });
});

test.each([
  '::::',
  'http://',
  'ftp://proxy.corp',
  'socks5://proxy.corp',
  'http://me:secret@',
  'http://me:secret%zz@proxy.corp',
  'a b:80',
])('%s is none: one sentence that does not repeat it', (given) => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy']) {
    const read = () => readSettings({ [name]: given }, '/');
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name} is not a proxy address: it should look like`);
    expect(read).not.toThrow('secret');
  }
});

test('what is empty is not set; NO_PROXY is taken as it is', () => {
  expect(readProxies({ HTTP_PROXY: '', https_proxy: '', NO_PROXY: '.corp,10.0.0.1' })).toEqual({
    noProxy: '.corp,10.0.0.1',
  });
  expect(readProxies({ http_proxy: '', HTTP_PROXY: 'proxy.corp' })).toEqual({});
});

const HTTP = { http_proxy: 'proxy:1' };

test.each<[url: string, environment: Record<string, string>, host: string | undefined]>([
  ['http://api.corp/v1', {}, undefined],
  ['http://api.corp/v1', HTTP, 'proxy:1'],
  ['https://api.corp/v1', HTTP, 'proxy:1'],
  ['https://api.corp/v1', { ...HTTP, HTTPS_PROXY: 'proxy:2' }, 'proxy:2'],
  ['http://api.corp/v1', { HTTPS_PROXY: 'proxy:2' }, undefined],
  ['http://[::1]:3000/v1', { ...HTTP, no_proxy: '::1' }, undefined],
  ['http://[::1]:3000/v1', { ...HTTP, no_proxy: '[::1]:3000' }, undefined],
])('%s with %j goes by the proxy %s', (url, environment, host) => {
  expect(proxyFor(new URL(url), environment)?.host).toBe(host);
});

test.each(['api.corp', '.corp', '*.corp', 'CORP', 'other, api.corp:80', '*'])(
  'NO_PROXY=%s excepts a host',
  (NO_PROXY) => {
    expect(proxyFor(new URL('http://api.corp/v1'), { ...HTTP, NO_PROXY })).toBeUndefined();
  },
);

test.each(['pi.corp', 'api.corp:81', 'api', ''])('NO_PROXY=%s does not', (NO_PROXY) => {
  expect(proxyFor(new URL('http://api.corp/v1'), { ...HTTP, NO_PROXY })).toBeDefined();
});
