import { describe, expect, test } from 'vitest';
import { execArgs, type Mount, runArgs } from '../../src/sandbox/docker-args.ts';

const request = {
  name: 'pawl-1',
  image: 'node:22',
  user: '1000:1000',
  labels: { 'pawl.run': 'r1' },
  bounds: { memory: '4g', pids: 1024 },
  mounts: [],
  env: { HOME: '/home/pawl' },
  workdir: '/work/repo',
  ports: [3128, 8080],
} as const;

describe('a container', () => {
  test('is hardened, without a network, and ends with its input', () => {
    expect(runArgs(request).join(' ')).toBe(
      'run --interactive --rm --init --pull never --name pawl-1 --hostname pawl --label pawl.run=r1 --log-driver none ' +
        '--network none --user 1000:1000 --read-only --cap-drop ALL --security-opt no-new-privileges ' +
        '--tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777 --pids-limit 1024 --memory 4g --memory-swap 4g ' +
        '--env HOME=/home/pawl --workdir /work/repo node:22 node /opt/pawl/tunnel.mjs 3128 8080',
    );
  });

  test.each<[Mount, string]>([
    [{ from: '/a', to: '/b', readonly: true }, 'type=bind,src=/a,dst=/b,readonly'],
    [{ from: '/a', to: '/b', readonly: false }, 'type=bind,src=/a,dst=/b'],
    [{ from: '/a b', to: '/b', readonly: false }, 'type=bind,src=/a b,dst=/b'],
    [
      { from: '/a,readonly=false', to: '/b', readonly: true },
      'type=bind,"src=/a,readonly=false",dst=/b,readonly',
    ],
    [{ from: '/a"b', to: '/b', readonly: false }, 'type=bind,"src=/a""b",dst=/b'],
  ])('sees %j', (mount, wanted) => {
    const args = runArgs({ ...request, mounts: [mount] });
    expect(args[args.indexOf('--mount') + 1]).toBe(wanted);
  });
});

test.each([
  ['pipe', ['ANTHROPIC_API_KEY'], '--interactive --workdir /w --env ANTHROPIC_API_KEY'],
  ['closed', [], '--workdir /w'],
] as const)(
  'a program in it gets variables by name alone; with its input %s: %j',
  (input, names, options) => {
    const program = { file: 'claude', args: ['-p'], cwd: '/w', env: {}, input };
    expect(execArgs('pawl-1', program, names).join(' ')).toBe(`exec ${options} pawl-1 claude -p`);
  },
);
