// What is told of a build's output, and of what a failed one failed; lines as docker's old builder, BuildKit and podman print
// them.
import { describe, expect, test } from 'vitest';
import { type FailedBuild, judgeFailedBuild, readBuild } from '../../src/sandbox/build-output.ts';

const setup = 'RUN ["/bin/bash","-euxo","pipefail","-c","apt-get update\\napt-get install x"]';

test.each<[string, readonly string[], readonly string[]]>([
  [
    'docker’s old builder',
    [
      'Step 1/4 : FROM base:1',
      ' ---> 4025756f46cf',
      'Step 2/4 : RUN apt-get   update',
      ' ---> Using cache',
      ' ---> 2a1d13894e2d',
      'Step 3/4 : RUN npm   install',
      ' ---> Running in 13356aa7e176',
      'added 2 packages',
      `Step 4/4 : ${setup}`,
      ' ---> Running in 6d76c1aae49f',
    ],
    ['3/4 RUN npm install', '4/4 sandbox.setup'],
  ],
  [
    'BuildKit, whose steps run side by side',
    [
      '#1 [internal] load build definition from Dockerfile',
      '#5 [1/4] FROM docker.io/library/base:1',
      '#5 CACHED',
      '#6 [built 2/4] RUN one',
      '#7 [3/4] RUN two',
      '#7 CACHED',
      '#6 0.324 [1/9] of one',
      '#8 [4/4] COPY a b',
      '#8 DONE 0.1s',
      `#9 [stage-1 4/4] ${setup}`,
      '#9 0.101 + apt-get update',
    ],
    ['2/4 RUN one', '4/4 sandbox.setup'],
  ],
  [
    'podman',
    [
      'STEP 1/3: FROM base:1',
      'STEP 2/3: RUN one',
      '--> Using cache 4025',
      'STEP 3/3: RUN two',
      '+ two',
      'COMMIT x',
    ],
    ['3/3 RUN two'],
  ],
  ['in colours', ['\u001b[1mStep 1/1 : RUN a\u001b[0m', ' ---> Running in x'], ['1/1 RUN a']],
  ['at length', [`Step 1/1 : RUN ${'x'.repeat(200)}`, ' ---> Running in x'], [`1/1 RUN ${'x'.repeat(91)}…`]],
])('of %s the steps are told that take time', (_, lines, wanted) => {
  const { hear, latest } = readBuild();
  expect(lines.flatMap((line) => hear(line) ?? [])).toEqual(wanted);
  expect(latest()).toBe(wanted.at(-1));
});

const noPackage = 'E: Unable to locate package no-such-package';

describe('a build that failed', () => {
  test.each<[string, FailedBuild, string | undefined]>([
    [
      'in the setup of docker’s old builder',
      {
        lines: [
          'error that came long before',
          '+ apt-get update',
          'Reading package lists...',
          '+ apt-get install -y no-such-package',
          `\u001b[91m${noPackage}\u001b[0m\u001b[91m`,
          'Removing intermediate container 7ef2b306a5c5',
          "The command '/bin/bash -euxo pipefail -c apt-get update",
          "apt-get install -y no-such-package || echo failed' returned a non-zero code: 100",
          '\u001b[0m',
        ],
        step: '4/4 sandbox.setup',
      },
      `${noPackage} (sandbox.setup, at apt-get install -y no-such-package)`,
    ],
    [
      'in a step of BuildKit',
      {
        lines: [
          '#9 1.20 npm error code E404',
          '#9 ERROR: process "/bin/sh -c npm i" did not complete successfully: exit code: 1',
          '------',
          ' > [3/4] RUN npm i:',
          'Dockerfile:3',
          '   3 | >>> RUN npm i',
          'ERROR: failed to solve: process "/bin/sh -c npm i" did not complete successfully: exit code: 1',
        ],
        step: '3/4 RUN npm i',
      },
      'npm error code E404 (3/4 RUN npm i)',
    ],
    ['before any step', { lines: ['pull access denied for base'] }, 'pull access denied for base'],
    ['with no word of an error', { lines: ['one', 'two'] }, 'two'],
    ['in silence', { lines: [] }, undefined],
  ])('%s says why and where', (_, build, wanted) => expect(judgeFailedBuild(build).why).toBe(wanted));

  test.each<[string, FailedBuild, RegExp]>([
    ['a network', { lines: ["Temporary failure resolving 'deb.debian.org'"] }, /--network host/],
    ['a certificate', { lines: ['npm error code SELF_SIGNED_CERT_IN_CHAIN'] }, /NODE_EXTRA_CA_CERTS/],
  ])('for want of %s names what may help', (_, build, wanted) =>
    expect(judgeFailedBuild(build).remedy).toMatch(wanted),
  );

  test('is told no remedy where none is known', () => {
    expect(judgeFailedBuild({ lines: [noPackage] }).remedy).toBeUndefined();
  });
});
