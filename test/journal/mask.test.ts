// Known secrets are replaced by their names, in whatever form they come.
import { expect, it } from 'vitest';
import { type Fact, factSchema } from '../../src/event.ts';
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
  [
    'each of several addresses of messages',
    { PAWL_NOTIFY: 'ntfys://tk_abc@h/t, json://h/x' },
    'to ntfys://tk_abc@h/t and json://h/x',
    'to [PAWL_NOTIFY] and [PAWL_NOTIFY]',
  ],
  [
    'in headers of telemetry',
    { OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=abcdefgh,authorization=Bearer abcdefgh1' },
    'abcdefgh; Bearer abcdefgh1',
    '[OTEL_EXPORTER_OTLP_TRACES_HEADERS]; [OTEL_EXPORTER_OTLP_TRACES_HEADERS]',
  ],
  [
    'what a cut left of it',
    { API_TOKEN: 'abcdefghij' },
    'a abcdefghi…\nabcdefg…',
    'a [API_TOKEN]…\nabcdefg…',
  ],
  [
    'not what many addresses begin with',
    { PAWL_NOTIFY: 'https://hooks.example/T0/B0' },
    'https://… https://hooks.ex…',
    'https://… [PAWL_NOTIFY]…',
  ],
  [
    'what a cut left of it before its own sign',
    { API_TOKEN: 'abcdefghij' },
    'abcdefghi …, abcdefghi\n… 9 bytes left out …\nabcdefghi\n[… 9 characters',
    '[API_TOKEN] …, [API_TOKEN]\n… 9 bytes left out …\n[API_TOKEN]\n[… 9 characters',
  ],
  ['without the line end behind it', { API_TOKEN: ' abcdefgh\n' }, '(abcdefgh)', '([API_TOKEN])'],
  [
    'line by line',
    { SSH_KEY: '-- BEGIN\r\nabcdefgh\nij\n' },
    '> -- BEGIN abcdefgh ij; -- BEGIN\r\nabcdefgh\nij',
    '> [SSH_KEY] [SSH_KEY] ij; [SSH_KEY]',
  ],
  [
    'of a password in fewer letters',
    { DB_PASS: 'abcdefgh', GIT_ASKPASS: '/bin/ask' },
    'abcdefgh /bin/ask',
    '[DB_PASS] /bin/ask',
  ],
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

/** All texts of a value, wherever they stand in it. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

it.each([
  [sampleFacts['dialogue-asked'], []],
  [sampleFacts['dialogue-answered'], ['person']],
  [sampleFacts['dialogue-drafted'], ['draft-001.md']],
  [sampleFacts['dialogue-corrected'], ['draft']],
  [sampleFacts['dialogue-tried'], []],
  [sampleFacts['replan-taking'], ['2a', '2', 'replan-001.md', 'ab12', 'cd34']],
  [sampleFacts.stuck, ['2', 'diagnose']],
  [fact('fresh-verified', { head: 'a', broken: ['npm test'] }), ['a', 'red', 'lib/']],
  [fact('proof-judged', { reasons: ['`npm test` says no'] }), ['proven', '2', 'green', 'red', 'src/auth.ts']],
  [fact('tamper-noted', { file: 'a', detail: 'b', quote: 'c' }), ['2', 'a']],
])('of what $0.type says only names go unmasked', (told, names) => {
  const left = textsOf(maskFact<Fact>(told, () => '*')).filter((text) => text !== '*');
  expect(left.filter((text) => !('state' in told) || text !== told.state)).toEqual([told.type, ...names]);
});

it.each(Object.values(sampleFacts))('a masked $type is a fact still, whatever is secret', (told) => {
  expect(factSchema.safeParse(maskFact(told, () => '*')).success).toBe(true);
});
