// Where a run is shown in a browser: without the token, since others store messages.
import type { DashboardLink } from '../start/context.ts';
import { addressOfPage } from './address.ts';
import { ownAddresses } from './serve.ts';
import { idOfRun } from './watcher.ts';
import { findServed } from './web-file.ts';

export const linkOfRun: DashboardLink = (folders, { commonDir, run }) => {
  const served = findServed(folders);
  return served && `${addressOfPage(served, ownAddresses())}/#/run/${idOfRun(commonDir, run)}`;
};
