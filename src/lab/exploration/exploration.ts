import { interleaveProbes, type ProbeMaker, roundSeed } from '../explore/exploration.ts';
import { findAbilities } from '../requests/abilities.ts';
import { raceProbes } from './races.ts';
import { collectParts } from '../requests/request-parts.ts';
import { collectPoints } from '../requests/request-points.ts';
import { sequenceProbes } from './sequences.ts';
import { valueProbes } from './values.ts';
import { windowProbes } from './windows.ts';

/** Drawn requests that no suite lists, made from the members and values of the suites (§2 to §8). */
export const serverInitiatedProbes: ProbeMaker = (ground, wanted) => {
  const { values = 0, sequences = 0, races = 0, windows = 0 } = wanted.requests;
  const { suites, target, runs } = ground;
  const seed = roundSeed(wanted);
  const abilities = findAbilities(ground);
  const points = collectPoints(suites).filter((point) => runs(point.case.id));
  const parts = collectParts(points);
  const deviations = points.filter(
    ({ outcome, case: { client, receiver } }) => outcome !== 'accepted' && client === 'main' && receiver.length === 0,
  );
  const scopes = target.clients.find(({ name }) => name === 'main')?.scopes ?? [];
  return interleaveProbes(
    [
      valueProbes(seed, values, { abilities, parts, scopes }),
      sequenceProbes(seed, sequences, { abilities, deviations, parts }),
      raceProbes(seed, races, { abilities, deviations }),
      windowProbes(seed, windows, { abilities, deviations, parts }),
    ],
    seed,
  );
};
