// Tries several ways out of a container like a run's: each must fail, or is reported.

import { statSync } from 'node:fs';
import path from 'node:path';
import { isAgentVariable } from '../../agent/agents.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { runProgram } from '../../process/run-program.ts';
import { Container } from '../../sandbox/container.ts';
import { inside } from '../../sandbox/docker-args.ts';
import { makeEgress, proxyEnvironment } from '../../sandbox/egress.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { findSupervisorProgram } from '../../sandbox/process-supervisor.ts';
import { createProxy } from '../../sandbox/proxy.ts';
import { findTunnelProgram, proxyPort } from '../../sandbox/tunnel.ts';
import { quoteForShell } from '../../shell-word.ts';
import type { CliContext } from '../context.ts';
import { dockerHost } from './image.ts';

export type ProbeRequest = Readonly<{ sandbox: Config['sandbox']; image: string; root: string }>;

const probeMs = 30_000;

/**
 * Ways out that are open although they must not be, in words; empty: none. If there can be no container, throws a Failure.
 */
export async function probeSandbox(context: CliContext, request: ProbeRequest): Promise<readonly string[]> {
  const host = dockerHost(context);
  const refused: string[] = [];
  const egress = makeEgress({ mode: 'none', apis: [], allow: [] });
  const proxy = createProxy({ egress, onRefused: (refusal) => refused.push(refusal.host) });
  const onConnection = proxy.take.bind(proxy);
  const container = await Container.start(
    { host, wanted: [], isAgents: isAgentVariable, onConnection },
    containerOf(context, request),
  );
  try {
    const mark = `PAWL_CHECK=doctor/${context.random(4)}` as const;
    const program = {
      file: 'sh',
      args: ['-c', script(context, request)],
      cwd: '/',
      env: { PAWL_CHECK: mark.slice('PAWL_CHECK='.length) },
      input: 'closed',
    } as const;
    container.enter(mark);
    const started = await container.launch(program, mark);
    const end = await runProgram(
      { spawn: () => started, sweep: host.sweep },
      { ...program, timeoutMs: probeMs },
    );
    const lines = end.output.text.split('\n').filter((line) => line !== '');
    const open = lines.filter((line) => line.startsWith('open: ')).map((line) => line.slice('open: '.length));
    if (!lines.includes('tried')) return ['the tests did not finish'];
    return refused.includes(nobody) ? open : [...open, 'traffic does not go through pawl'];
  } finally {
    await container.end();
    proxy.close();
  }
}

/** A host that belongs to nobody (RFC 2606). */
const nobody = 'nobody.invalid';

function containerOf(context: CliContext, { sandbox, image, root }: ProbeRequest) {
  const { uid, gid } = statSync(root);
  const programs = [
    { from: findTunnelProgram(), to: inside.tunnel, readonly: true },
    { from: findSupervisorProgram(), to: inside.supervisor, readonly: true },
  ];
  return {
    name: `pawl-doctor-${context.random(4)}`,
    image,
    user: `${uid}:${gid}`,
    labels: { 'pawl.run': 'doctor' },
    bounds: { memory: sandbox.memory, pids: fixed.pids },
    mounts: [...programs, ...readMounts(sandbox.mounts, { home: context.folders.home, root })],
    env: { HOME: '/tmp', ...proxyEnvironment(proxyPort) },
    ports: [proxyPort],
    workdir: '/',
  };
}

function script({ folders }: CliContext, { root }: ProbeRequest): string {
  // Whatever goes wrong throws, and then the way is not open.
  const fetch = `node -e "require('http').get({host: '127.0.0.1', port: ${proxyPort}, path: 'http://${nobody}/'}, (a) => { if (a.statusCode === 403) throw a; a.destroy(); })"`;
  const connect = `node -e "require('net').connect(9, '192.0.2.1', function () { this.destroy(); })"`;
  const tries: readonly (readonly [string, string])[] = [
    [
      'your home is visible',
      `test -e ${quoteForShell(path.join(folders.home, '.'))} && test -n "$(ls -A ${quoteForShell(folders.home)} 2>/dev/null)"`,
    ],
    ['the repository’s git folder is visible', `test -e ${quoteForShell(path.join(root, '.git'))}`],
    ['the engine’s socket is visible', 'test -S /var/run/docker.sock'],
    ['its system files can be written', 'touch /usr/pawl-probe'],
    ['a disk can be mounted', 'mount -t tmpfs none /mnt'],
    ['there is a network', connect],
    ['a host that is not listed answers', fetch],
  ];
  return [
    ...tries.map(([says, command]) => `if ${command} >/dev/null 2>&1; then echo 'open: ${says}'; fi`),
    'echo tried',
  ].join('\n');
}
