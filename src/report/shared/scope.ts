import { valuesOf } from '../../model/flags.ts';
import type { ResultHeader } from '../../model/result.ts';
import { levelLegend } from './prose.ts';

/** What a run was about, and the areas that it left out. */
export const selectionText = ({ selection, level, flags }: ResultHeader): string => {
  const chosen = selection.length === 0 ? 'everything' : selection.join(', ');
  const without = valuesOf(flags, '--without');
  const left = without.length === 0 ? chosen : `${chosen}, without ${without.join(', ')}`;
  return [left, levelLegend[level] ?? []].flat().join('; ');
};

const leftLevels = {
  required: 'what is recommended or informational',
  recommended: 'what is informational',
  informational: undefined,
} as const;

/** What a run leaves to others, a clause each; empty where it is a whole one. */
export function notCovered({ selection, level, flags, shard }: ResultHeader): readonly string[] {
  const without = valuesOf(flags, '--without');
  const levels = leftLevels[level];
  return [
    ...(selection.length === 0 ? [] : [`what is beside ${selection.join(', ')}`]),
    ...(without.length === 0 ? [] : [`${without.length === 1 ? 'the area' : 'the areas'} ${without.join(', ')}`]),
    ...(levels === undefined ? [] : [levels]),
    ...(shard === undefined ? [] : [`what the other parts judged: this is part ${shard.index} of ${shard.of}`]),
  ];
}

/** `joined from 2 parts: run 4f…, run 9a…`; undefined where a result is of one run. */
export const joinedText = ({ joined }: ResultHeader): string | undefined =>
  joined && `from ${joined.length} parts: ${joined.map(({ run, index }) => `${index} of run ${run}`).join(', ')}`;
