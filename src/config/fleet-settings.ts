// The settings of the fleet: shape, default, meaning, effect on consent. They say which database this machine trusts, and
// whose plans it works on, so no project's file may set them (load.ts).
import { z } from 'zod';
import { count, list, runs, text } from './form.ts';

/** The settings under `fleet`. */
export const fleetSchema = runs(
  z.strictObject({
    url: text(
      'Address of the fleet’s PostgreSQL database, e.g. postgres://pawl@db.example.org/pawl. PAWL_FLEET_URL sets it, too. Not allowed in a project’s file.',
    ).optional(),
    repos: list(
      'Repositories whose plans a worker here may run, each as its URL; * stands for one name, e.g. https://git.example.org/team/*. Not allowed in a project’s file.',
    ).prefault([]),
    slots: count('Plans that a worker here runs side by side. Not allowed in a project’s file.')
      .min(1)
      .prefault(1),
    labels: list(
      'What this machine has that a plan can ask for, e.g. gpu. Not allowed in a project’s file.',
    ).prefault([]),
  }),
);
