// What counts as a secret, by name and by content. The keys here are made up at run time, so that no scanner finds them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { judgeSecret } from '../../../src/git/tree/secret.ts';

const judge = (file: string, text = '') => judgeSecret(file, new TextEncoder().encode(text));

/** Letters and digits that look random and are the same each time. */
function random(
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
): string {
  let text = '';
  for (let block = 0; text.length < length; block += 1) {
    for (const byte of createHash('sha256').update(`pawl ${block}`).digest())
      text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const hex = '0123456789abcdef';
const pem = (kind: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${random(64)}\n${random(64)}\n-----END ${kind}PRIVATE KEY-----\n`;

/** Whatever they hold. */
const secretNames =
  '.env packages/a/.env .env.production .env.test.local id_rsa .ssh/id_ed25519 key.ppk store.p12 app.pfx upload.jks a.kdbx release.keystore .cargo/credentials.toml .netrc .git-credentials .pgpass .kube/config config/master.key terraform.tfstate .htpasswd .bash_history';
const plainNames =
  '.env.sample .env.template example.env .env.dist .env.schema env.ts environment.ts src/.environment id_rsa.pub debug.keystore src/secret.ts docs/credentials.md';
const named = (names: string) => names.split(' ').map((name): [string, string] => [name, '']);

describe('a name', () => {
  it.each<[string, string]>([
    ...named(secretNames),
    ['.env.local', 'A=1'],
    ['.env.test', 'API_KEY=abcd1234efgh'],
    ['prod.env', 'export DB_PASSWORD="correct horse"'],
    ['.envrc', 'export TOKEN=abcd1234efgh'],
    ['.dev.vars', 'SECRET_KEY=abcd1234efgh'],
    ['server.pem', pem('RSA ')],
    ['server.key', pem('')],
    ['.npmrc', '//registry.npmjs.org/:_authToken=abc'],
    ['.yarnrc.yml', 'npmAuthToken: "abc"'],
    ['.pypirc', '[pypi]\npassword = x'],
    ['.aws/credentials', 'aws_secret_access_key=x'],
    ['.docker/config.json', '{"auths":{"x":{"auth":"abc"}}}'],
    ['.credentials.json', '{"accessToken":"x"}'],
    ['client_secret_1.json', '{"client_secret":"x"}'],
    ['service-account.json', '{"private_key": "x"}'],
    ['auth.json', '{"OPENAI_API_KEY":"x"}'],
    ['secrets.yml', 'api_token: abcd1234efgh'],
    ['terraform.tfvars', 'db_password = "abcd1234efgh"'],
  ])('%s is one, with %j', (file, text) => {
    expect(judge(file, text)).toMatchObject({ why: 'secret-name' });
  });

  it.each<[string, string]>([
    ...named(plainNames),
    ['.env.example', 'API_KEY=abcd1234efgh'],
    ['.env.test', 'NODE_ENV=test'],
    ['.env.development', 'API_KEY=your-key-here'],
    ['.env.ci', 'API_KEY='],
    ['.env.ci', `TOKEN=\${TOKEN}`],
    ['.env.production', 'sops_version=3\nA=ENC[AES256_GCM,data:x]'],
    ['cert.pem', '-----BEGIN CERTIFICATE-----'],
    ['i18n.key', 'x'],
    ['.npmrc', 'save-exact=true'],
    ['.npmrc', `//r/:_authToken=\${NPM_TOKEN}`],
    ['.yarnrc.yml', 'nodeLinker: node-modules'],
    ['credentials.json', '{"title":"words"}'],
    ['secrets.yml', 'sops:\n  x: 1'],
    ['secrets.yml', 'api_token: <%= ENV["X"] %>'],
    ['auth.json', '{"login":"Log in"}'],
    ['variables.tfvars', 'region = "eu"'],
    ['.docker/config.json', '{}'],
  ])('%s is none, with %j', (file, text) => {
    expect(judge(file, text)).toBeUndefined();
  });

  it('is told with the kind, never the text', () => {
    expect(judge('a/.env', `TOKEN=${random(40)}`)).toEqual({
      why: 'secret-name',
      detail: '.env usually holds secrets of an environment',
    });
  });
});

const keys: readonly (readonly [string, string])[] = [
  ['a private key', pem('')],
  ['a private key', pem('OPENSSH ')],
  ['a private key', pem('RSA ').replaceAll('\n', '\\n')],
  ['a private key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${random(64)}\n`],
  ['an AWS access key', `AKIA${random(16, upper)}`],
  ['an AWS secret key', `aws_secret_access_key = ${random(40)}`],
  ['a GitHub token', `ghp_${random(36)}`],
  ['a GitHub token', `github_pat_${random(82)}`],
  ['a GitLab token', `glpat-${random(20)}`],
  ['a Slack token', `xoxb-2483950617-7301948526-${random(24)}`],
  [
    'a Slack webhook',
    `https://hooks.slack.com/services/T${random(8, upper)}/B${random(8, upper)}/${random(24)}`,
  ],
  ['an Anthropic key', `sk-ant-api03-${random(90)}`],
  ['an Anthropic key', `sk-ant-oat01-${random(90)}`],
  ['an OpenAI key', `sk-proj-${random(64)}`],
  ['an OpenAI key', `sk-${random(20)}T3BlbkFJ${random(20)}`],
  ['an OpenRouter key', `sk-or-v1-${random(64, hex)}`],
  ['a Google API key', `AIza${random(35)}`],
  ['an npm token', `npm_${random(36)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${random(60)}`],
  ['a Stripe key', `sk_live_${random(24)}`],
  ['a SendGrid key', `SG.${random(22)}.${random(43)}`],
  ['a Hugging Face token', `hf_${random(34, upper.slice(0, 26))}`],
  ['an Azure storage key', `AccountKey=${random(86)}==`],
];

describe('content', () => {
  it.each(keys)('%s is found in any file, by its line', (word, key) => {
    const note = judge('src/a.ts', `one\nconst key = "${key}";\n`);
    expect(note).toEqual({ why: 'secret-content', detail: `line 2 looks like ${word}` });
  });

  it.each<[string, string]>([
    ['a header that is only mentioned', `if (text.includes('-----BEGIN PRIVATE KEY-----')) {`],
    ['an example of an issuer', 'AKIAIOSFODNN7EXAMPLE'],
    ['a placeholder', `sk-ant-api03-${'x'.repeat(90)}`],
    ['a value of one letter', `ghp_${'a'.repeat(36)}`],
    ['a value in order', `ghp_${'0123456789abcdefghij0123456789abcdef'}12345678`],
    ['a prefix inside a word', `risk-${random(48)}`],
    ['a hash', createHash('sha256').update('x').digest('hex')],
    ['a package’s integrity', `sha512-${random(86)}==`],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${random(64)}\n`],
    ['a Stripe test key', `sk_test_${random(24)}`],
  ])('is none: %s', (_, text) => {
    expect(judge('src/a.ts', text)).toBeUndefined();
  });

  it('ends, whatever stands behind a header', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'a: '.repeat(60)}${random(39)}`;
    // Only an engine that is told to stop comes back from an expression that would be tried for years.
    const found = runInNewContext('look()', { look: () => judge('a', text) }, { timeout: 10_000 });
    expect(found).toBeUndefined();
  });

  it('goes on after a placeholder', () => {
    expect(judge('a', `AKIAIOSFODNN7EXAMPLE\nAKIA${random(16, upper)}`)?.detail).toMatch(/^line 2 /);
  });

  it('may be binary', () => {
    expect(
      judgeSecret(
        'a.bin',
        Uint8Array.from({ length: 4096 }, (_, at) => (at * 37) % 256),
      ),
    ).toBeUndefined();
    const bytes = Buffer.concat([Buffer.from([0, 255, 10, 195]), Buffer.from(`ghp_${random(36)}`)]);
    expect(judgeSecret('a.bin', bytes)?.detail).toBe('line 2 looks like a GitHub token');
  });
});

it('raises no alarm in this project’s own sources and its libraries’ documents', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const files = ['src', 'test/check', 'templates'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  );
  const modules = readdirSync(path.join(root, 'node_modules')).flatMap((name) =>
    ['package.json', 'README.md'].map((file) => path.join('node_modules', name, file)),
  );
  const flagged = [...files, ...modules].flatMap((file) => {
    try {
      return judgeSecret(file, readFileSync(path.join(root, file)).subarray(0, 65_536)) ?? [];
    } catch {
      return [];
    }
  });
  expect(files.length).toBeGreaterThan(30);
  expect(flagged).toEqual([]);
});

// An expression that looks again from each line end takes minutes here.
it.each(['\n', 'token', 'token:\n', ' \t', 'a', '-----BEGIN ', 'eyJ', '"'])(
  'a file of nothing but %j is judged at once, whatever its name',
  (text) => {
    const bytes = Buffer.from(text.repeat(256 * 1024).slice(0, 256 * 1024));
    for (const file of ['.env.live', 'secrets.yaml', 'a.tfvars', '.npmrc', '.pypirc', 'a.pem', 'a.ts'])
      judgeSecret(file, bytes);
  },
);
