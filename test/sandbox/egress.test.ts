// The list: what its entries mean, what each mode lets through, and that a name leads into no local network.
import { describe, expect, test } from 'vitest';
import { adapterOf } from '../../src/agent/agents.ts';
import { configSchema } from '../../src/config/schema.ts';
import {
  type EgressRequest,
  makeEgress,
  mayDial,
  mayReach,
  parseHostRule,
  registries,
} from '../../src/sandbox/egress.ts';
import { parseAddress } from '../../src/sandbox/ip-address.ts';

const shipped = { host: 'api.anthropic.com:443', isConfigured: false };

function egressOf(request: Partial<EgressRequest>) {
  return makeEgress({ mode: 'restricted', apis: [shipped], allow: [], ...request });
}

describe('an entry', () => {
  test.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'example.com', 80, true],
    ['example.com', 'EXAMPLE.com.', 443, true],
    ['example.com', 'example.com', 22, false],
    ['example.com', 'www.example.com', 443, false],
    ['example.com', 'badexample.com', 443, false],
    ['example.com', 'exampleXcom', 443, false],
    ['Example.COM.:8443', 'example.com', 8443, true],
    ['example.com:8443', 'example.com', 443, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'badexample.com', 443, false],
    ['*.example.com', 'evil.com.example.com.evil.com', 443, false],
    ['*-api.example.com', 'eu-api.example.com', 443, true],
    ['*-api.example.com', 'a.eu-api.example.com', 443, false],
    ['my.*.example.com', 'my.eu.example.com', 443, true],
    ['my.*.example.com', 'my.a.b.example.com', 443, false],
    ['10.1.2.3:8080', '10.1.2.3', 8080, true],
    ['10.1.2.3:8080', '10.1.2.3', 80, false],
    ['10.0.0.0/8:8080', '10.1.2.3', 8080, true],
    ['[fd00::1]:80', 'fd00::1', 80, true],
    ['fd00::1', '[fd00::1]', 443, true],
  ] as const)('%s and %s:%d: %s', (entry, host, port, wanted) => {
    expect(mayReach(egressOf({ allow: [entry] }), host, port)).toBe(wanted);
  });

  test.each([
    '',
    '*',
    '*.com',
    'https://example.com',
    'example.com/path',
    'example.com:0',
    'example.com:65536',
    'example.com:x',
    'ex ample.com',
    'a..b',
    '-a.com',
    '127.1',
    '2130706433',
    '1.2.3.*',
    '[example.com]:80',
    '10.0.0.0/40',
    'a.com\r\nb.com',
    'user@example.com',
  ])('“%s” is none', (entry) => expect(parseHostRule(entry)).toBeUndefined());

  test('every shipped one is one', () => {
    for (const entry of registries) expect(parseHostRule(entry), entry).toBeDefined();
  });
});

describe('a mode', () => {
  test.each<[Partial<EgressRequest>, string, number, boolean]>([
    [{}, 'api.anthropic.com', 443, true],
    [{}, 'api.anthropic.com', 80, false],
    [{}, 'registry.npmjs.org', 443, true],
    [{}, 'github.com', 443, false],
    [{}, '1.1.1.1', 443, false],
    [{ mode: 'none' }, 'api.anthropic.com', 443, true],
    [{ mode: 'none' }, 'registry.npmjs.org', 443, false],
    [{ mode: 'none', allow: ['a.com'] }, 'a.com', 443, false],
    [{ mode: 'open' }, 'whatever.com', 22, true],
    [{ mode: 'open' }, '1.1.1.1', 53, true],
    [{ mode: 'open' }, '127.0.0.1', 80, false],
    [{ mode: 'open' }, '169.254.169.254', 80, false],
    [{ mode: 'open' }, '10.0.0.1', 80, false],
    [{ mode: 'open', allow: ['10.0.0.1'] }, '10.0.0.1', 80, true],
  ])('%j lets %s:%d: %s', (request, host, port, wanted) => {
    expect(mayReach(egressOf(request), host, port)).toBe(wanted);
  });
});

test.each([
  ['localhost', 4000, true],
  ['localhost.', 4000, true],
  ['LOCALHOST', 4000, true],
  ['127.0.0.1', 4000, true],
  ['[::1]', 4000, true],
  ['::ffff:127.0.0.1', 4000, true],
  ['localhost', 4001, false],
  ['127.0.0.1', 4001, false],
  ['::ffff:127.0.0.1', 4001, false],
  ['::ffff:7f00:1', 22, false],
  ['127.0.0.2', 4000, false],
  ['0.0.0.0', 4000, false],
  ['[::]', 4000, false],
  ['2130706433', 4000, false],
  ['0x7f000001', 4000, false],
  ['0177.0.0.1', 4000, false],
  ['127.1', 4000, false],
  ['x.localhost', 4000, false],
  ['localhost.localdomain', 4000, false],
] as const)('of this machine a model at localhost:4000 opens %s:%d: %s', (host, port, wanted) => {
  for (const at of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000'])
    expect(mayReach(egressOf({ apis: [{ host: at, isConfigured: true }] }), host, port), at).toBe(wanted);
});

describe('where a name leads', () => {
  const configured = (host: string) => ({ apis: [{ host, isConfigured: true }] });
  test.each<[Partial<EgressRequest>, string, string, boolean]>([
    [{ allow: ['a.com'] }, 'a.com:443', '93.184.216.34', true],
    [{ allow: ['a.com'] }, 'b.com:443', '93.184.216.34', false],
    [{ allow: ['a.com'] }, 'a.com:443', '10.0.0.1', false],
    [{ allow: ['a.com'] }, 'a.com:443', '127.0.0.1', false],
    [{ allow: ['a.com'] }, 'a.com:443', '::ffff:169.254.169.254', false],
    [{ allow: ['a.com', '10.0.0.1'] }, 'a.com:443', '10.0.0.1', true],
    [{ allow: ['a.com', '10.0.0.1:80'] }, 'a.com:443', '10.0.0.1', false],
    [{ mode: 'open' }, 'a.com:1', '93.184.216.34', true],
    [{ mode: 'open' }, 'a.com:1', '192.168.0.1', false],
    [configured('llm.corp:443'), 'llm.corp:443', '10.0.0.1', true],
    [configured('llm.corp:443'), 'llm.corp:443', '127.0.0.1', false],
    [configured('llm.corp:443'), 'llm.corp:443', '169.254.169.254', false],
    [{ ...configured('llm.corp:443'), allow: ['a.com'] }, 'a.com:443', '10.0.0.1', false],
    [configured('localhost:4000'), 'localhost:4000', '127.0.0.1', true],
    [configured('localhost:4000'), 'localhost:4000', '::1', true],
    [configured('127.0.0.1:4000'), '127.0.0.1:4000', '127.0.0.1', true],
    [configured('127.0.0.1:4000'), '127.0.0.1:4001', '127.0.0.1', false],
  ])('%j: %s at %s: %s', (request, name, text, wanted) => {
    const address = parseAddress(text);
    const [host = '', port] = name.split(':');
    expect(address && mayDial(egressOf(request), { host, port: Number(port), address })).toBe(wanted);
  });

  test.each<[Partial<EgressRequest>, boolean]>([
    [{ mode: 'open' }, false],
    [{ allow: ['a.com'] }, false],
    [{ allow: ['93.184.216.34'] }, true],
    [configured('a.com:443'), true],
  ])('%j: this machine’s own public address: %s', (request, wanted) => {
    const address = parseAddress('93.184.216.34');
    const target = { host: 'a.com', port: 443, isOwn: true };
    expect(address && mayDial(egressOf(request), { ...target, address })).toBe(wanted);
  });

  test.each([
    ['localhost:4000', true, [4000]],
    ['127.0.0.1:4000', true, [4000]],
    ['[::1]:4000', true, [4000]],
    ['llm.corp:443', true, []],
    ['localhost:4000', false, []],
  ])('a model at %s (configured: %s) is there inside at %j', (host, isConfigured, ports) => {
    expect(egressOf({ apis: [{ host, isConfigured }] }).loopbackPorts).toEqual(ports);
  });

  test.each<[string, Partial<EgressRequest>, readonly number[]]>([
    ['localhost:11434', {}, [11_434]],
    ['127.0.0.1:11434', {}, [11_434]],
    ['[::1]:11434', { mode: 'open' }, [11_434]],
    ['localhost:11434', { mode: 'none' }, []],
    ['localhost', {}, []],
    ['127.0.0.0/8', {}, []],
    ['10.0.0.1:80', {}, []],
    ['localhost.a.com:80', {}, []],
  ])('%s on the list (%j) is there inside at %j', (entry, request, ports) => {
    const egress = egressOf({ allow: [entry], ...request });
    expect(egress.loopbackPorts).toEqual(ports);
    expect(mayReach(egress, '127.0.0.1', 11_434)).toBe(ports.length > 0);
    expect(mayReach(egress, '127.0.0.1', 11_435)).toBe(false);
  });
});

test.each([
  ['claude', {}, ['api.anthropic.com:443']],
  ['claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/x' }, ['127.0.0.1:4000']],
  ['claude', { ANTHROPIC_BASE_URL: 'https://[::1]' }, ['[::1]:443']],
  ['claude', { ANTHROPIC_BASE_URL: 'http://gate' }, ['gate:80']],
  ['claude', { ANTHROPIC_BASE_URL: 'nonsense' }, []],
  ['claude', { CLAUDE_CODE_USE_BEDROCK: '0' }, ['api.anthropic.com:443']],
  [
    'claude',
    { CLAUDE_CODE_USE_BEDROCK: '1' },
    ['bedrock-runtime.*.amazonaws.com:443', 'bedrock.*.amazonaws.com:443', 'sts.*.amazonaws.com:443'],
  ],
  ['claude', { CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_BEDROCK_BASE_URL: 'https://b.corp' }, ['b.corp:443']],
  [
    'claude',
    { CLAUDE_CODE_USE_FOUNDRY: '1', ANTHROPIC_FOUNDRY_RESOURCE: 'r' },
    ['r.services.ai.azure.com:443', 'login.microsoftonline.com:443'],
  ],
  [
    'claude',
    { CLAUDE_CODE_USE_VERTEX: '1' },
    [
      'aiplatform.googleapis.com:443',
      '*-aiplatform.googleapis.com:443',
      'oauth2.googleapis.com:443',
      'sts.googleapis.com:443',
    ],
  ],
  ['codex', {}, ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443']],
  ['codex', { OPENAI_BASE_URL: 'http://localhost:8000/v1' }, ['localhost:8000']],
  ['gemini', { GOOGLE_GEMINI_BASE_URL: 'http://localhost:8000' }, ['localhost:8000']],
  ['qwen', { OPENAI_BASE_URL: 'https://models.corp/v1' }, ['models.corp:443']],
  ['opencode', {}, ['opencode.ai:443', 'models.dev:443']],
  ['acp', {}, []],
  ['script', {}, []],
  ['script', { ANTHROPIC_BASE_URL: 'https://a.b:1' }, ['a.b:1']],
] as const)('%s under %j needs %j', (agent, env, wanted) => {
  const hosts = adapterOf(configSchema.parse({}), agent).apiHosts(env);
  expect(hosts.map(({ host }) => host)).toEqual(wanted);
  for (const { host } of hosts) expect(parseHostRule(host), host).toBeDefined();
});
