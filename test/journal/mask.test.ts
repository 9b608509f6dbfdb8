// Known secrets are replaced by their names, in whatever form they come.
import { expect, it } from 'vitest';
import { maskFact, maskSecrets } from '../../src/journal/mask.ts';
import { fact, sampleFacts } from '../helpers/facts.ts';

it.each<[string, Record<string, string | undefined>, string, string]>([
  ['by its name', { API_TOKEN: 'abcdefgh' }, 'x abcdefgh y abcdefgh', 'x [API_TOKEN] y [API_TOKEN]'],
  ['with any case of its name', { api_key: 'abcdefgh' }, 'abcdefgh', '[api_key]'],
  [
    'in JSON',
    { DB_PASSWORD: 'a"b\nc\\defg' },
    JSON.stringify({ x: 'a"b\nc\\defg' }),
    '{"x":"[DB_PASSWORD]"}',
  ],
  ['as it is, with quotes', { DB_PASSWORD: 'a"b\nc\\defg' }, 'a"b\nc\\defg', '[DB_PASSWORD]'],
  ['the longer of two', { A_KEY: 'abcdefgh', B_KEY: 'abcdefgh-secret' }, 'abcdefgh-secret', '[B_KEY]'],
  ['not when short', { API_TOKEN: 'abc' }, 'abc', 'abc'],
  ['not when its name says nothing', { HOME: '/home/someone' }, '/home/someone', '/home/someone'],
  ['not when it is not set', { API_TOKEN: undefined }, 'abc', 'abc'],
  [
    'with characters that mean something in patterns',
    { X_SECRET: 'a.*+?^$&' },
    'a.*+?^$& axxx',
    '[X_SECRET] axxx',
  ],
])('%s', (_name, env, text, masked) => expect(maskSecrets(env)(text)).toBe(masked));

it('what reviewers quote is masked, names and digests are not', () => {
  const [finding] = sampleFacts['opinion-given'].findings;
  if (!finding) throw new Error('no sample');
  const told = {
    ...finding,
    title: 'abcdefgh',
    evidence: 'x abcdefgh',
    suggestion: 'abcdefgh',
    anchor: 'abcdefgh',
  };
  const said = fact('opinion-given', { findings: [{ ...told, fingerprint: 'abcdefgh' }] });
  const masked = maskFact(said, maskSecrets({ API_TOKEN: 'abcdefgh' }));
  expect(masked.findings).toEqual([
    {
      ...finding,
      ...{
        title: '[API_TOKEN]',
        evidence: 'x [API_TOKEN]',
        suggestion: '[API_TOKEN]',
        anchor: '[API_TOKEN]',
      },
      fingerprint: 'abcdefgh',
    },
  ]);
});
