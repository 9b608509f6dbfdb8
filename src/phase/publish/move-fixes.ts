// Moves each fix into the stack's layer that it mends, or leaves it on top.

import { moveCommit } from '../../git/lane/merge-trees.ts';
import { noticeOnce } from '../../journal/notice-once.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import { type Layer, listLayers } from './layers.ts';

/** Returns the layers as they are then. */
export async function moveFixes(place: Place, publish: PublishOptions): Promise<readonly Layer[]> {
  const { run, repo, home } = place;
  let layers = await listLayers(place, publish);
  for (const { task, layer } of listFixes(place)) {
    const at = layers.findIndex(({ branch }) => branch === layer);
    const oid = listFixes(place).find((one) => one.task === task)?.oid ?? '';
    const isAbove = layers.slice(at + 1).some(({ commits }) => commits.includes(oid));
    if (at < 0 || !isAbove) continue;
    const why = await moveCommit(repo, { run: run.id, oid, after: layers[at]?.head ?? '' });
    if (why === undefined) {
      await home?.bring();
      layers = await listLayers(place, publish);
    } else {
      const text = `The fix ${oid.slice(0, 12)} is for ${layer}, and stays on top: ${why}`;
      noticeOnce(run, { code: 'fix-on-top', text });
    }
  }
  return layers;
}

/** Committed for a request below the run's. */
function listFixes({ run }: Place) {
  const rounds = [...run.state().review.stages.values()].flatMap((stage) => stage.rounds);
  return rounds.flatMap(({ layer, fix }) => (layer !== undefined && fix?.oid ? [{ ...fix, layer }] : []));
}
