// What may help where no container can be started, by the words of docker's client or of podman in its place.
import { expect, test } from 'vitest';
import { startFailure } from '../../src/sandbox/docker.ts';

test.each<[string, RegExp]>([
  [
    'Error: container-init binary not found on the host: stat /usr/libexec/podman/catatonit: no such file',
    /catatonit/,
  ],
  ['unable to upgrade to tcp, received 409', /podman-docker/],
  ['Error: runc: error setting rlimit type 7: operation not permitted', /default_ulimits/],
  ['docker: Error response from daemon: something else', /pawl doctor/],
])('%s', (complaint, wanted) =>
  expect(startFailure(complaint)).toMatchObject({ hint: expect.stringMatching(wanted) }),
);
