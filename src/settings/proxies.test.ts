import { EnvHttpProxyAgent } from 'undici';
import { expect, test } from 'vitest';
import { SettingsError } from './errors.ts';
import { readSettings } from './settings.ts';
import { readProxies } from './target.ts';

test.each([
  ['proxy.corp:8080', 'http://proxy.corp:8080'],
  ['proxy', 'http://proxy'],
  [' http://proxy.corp:8080 ', 'http://proxy.corp:8080'],
  ['https://me:p%40ss@proxy.corp', 'https://me:p%40ss@proxy.corp'],
  ['[::1]:8080', 'http://[::1]:8080'],
])('HTTP_PROXY=%s is a proxy', async (text, httpProxy) => {
  expect(readProxies({ HTTP_PROXY: text })).toEqual({ httpProxy });
  expect(readProxies({ https_proxy: text, HTTPS_PROXY: 'other' })).toEqual({
    httpsProxy: httpProxy,
  });
  await new EnvHttpProxyAgent(readProxies({ HTTP_PROXY: text })).close();
});

test.each([
  '::::',
  'http://',
  'ftp://proxy.corp',
  'http://me:secret@',
  'http://me:secret%zz@proxy.corp',
  'a b:80',
])('%s is no proxy: one sentence that does not repeat it', (text) => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy']) {
    const read = () => readSettings({ [name]: text }, '/');
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name} is not a proxy address: it should look like`);
    expect(read).not.toThrow('secret');
  }
});

test('an empty value is not set; NO_PROXY stays as it is', () => {
  expect(readProxies({ HTTP_PROXY: '', https_proxy: '', NO_PROXY: '.corp,10.0.0.1' })).toEqual({
    noProxy: '.corp,10.0.0.1',
  });
  expect(readProxies({ http_proxy: '', HTTP_PROXY: 'proxy.corp' })).toEqual({});
});
