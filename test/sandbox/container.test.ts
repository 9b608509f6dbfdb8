// A container by a docker of the test's own: what an engine does that no engine should.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sweep } from '../../src/process/host-sweep.ts';
import { type Spawned, spawn } from '../../src/process/spawn.ts';
import { Container } from '../../src/sandbox/container.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('a client that neither starts one nor ends is ended, and told', async () => {
  using folder = makeTempFolder();
  const docker = '#!/bin/sh\n[ "$1" = run ] || exit 0\necho no engine >&2\necho noise\nexec sleep 600\n';
  writeFileSync(path.join(folder.path, 'docker'), docker, { mode: 0o755 });
  const env = { PATH: `${folder.path}:${process.env['PATH']}` };
  const started: Spawned[] = [];
  const host = {
    sweep,
    env,
    spawn: (...given: Parameters<typeof spawn>) => {
      const program = spawn(...given);
      started.push(program);
      return program;
    },
  };
  const request = {
    ...{ name: 'c', image: 'i', user: '1:1', labels: {}, mounts: [], env: {}, workdir: '/', ports: [] },
    bounds: { memory: '1g', pids: 9 },
  };
  await expect(Container.start({ host, onConnection: () => {} }, request)).rejects.toThrow('no engine');
  expect(await started[0]?.ended).toMatchObject({ signal: 'SIGKILL' });
});
