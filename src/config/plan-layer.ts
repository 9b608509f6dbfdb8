// The front matter of a plan as a layer: which keys stand for which settings. The plan room judges which keys are allowed;
// keys that are not settings (cwd) are left out.
import type { Plan } from '../plan/plan.ts';
import { judgeValue, type Layer, makeLayer, type Origin, type Problem, type Setting } from './layer.ts';
import { readModel } from './model-choice.ts';
import { findKey } from './setting-keys.ts';

type Settings = Plan['settings'];

const settingOf: Readonly<Record<string, string>> = {
  effort: 'agent.claude.effort',
  attempts: 'task.attempts',
  require: 'require',
  branch: 'branch',
  review: 'review.stages',
};

/** The layer of a plan's front matter. `model`, with `effort`, is the model of its task sessions. */
export function readPlanLayer(settings: Settings, file: string): Layer {
  const effort = settings.get('effort')?.value;
  const judged = [...settings].flatMap(([word, { value, place }]): (Setting | Problem)[] => {
    const origin: Origin = { layer: 'plan', file, line: place.line, column: place.column };
    const judge = (name: string, one: unknown) => {
      const key = findKey(name);
      return key ? [judgeValue(key, one, origin)] : [];
    };
    if (word === 'model') {
      const lacksEffort = typeof value === 'string' && readModel(value).effort === undefined;
      return judge('roles.task', lacksEffort && typeof effort === 'string' ? `${value}:${effort}` : value);
    }
    if (word === 'roles' || word === 'budgets') {
      return Object.entries((value ?? {}) as object).flatMap(([part, one]) => judge(`${word}.${part}`, one));
    }
    const name = settingOf[word];
    return name ? judge(name, value) : [];
  });
  // `roles.task` takes precedence over `model`, in whatever order they are written.
  return makeLayer(judged.sort((a, b) => rank(a, settings) - rank(b, settings)));
}

function rank(judged: Setting | Problem, settings: Settings): number {
  const model = settings.get('model')?.place;
  return judged.origin.line === model?.line && judged.origin.column === model?.column ? 0 : 1;
}
