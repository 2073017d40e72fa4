import { interleaveProbes, type ProbeMaker, roundSeed } from '../explore/exploration.ts';
import { findAbilities } from './abilities.ts';
import { chainedProbes } from './chained-cases.ts';
import { buildLinks } from './links.ts';
import { listedParts } from './listed-parts.ts';
import { memberProbes } from './members.ts';
import { raceProbes } from './races.ts';
import { collectParts } from './request-parts.ts';
import { collectPoints } from './request-points.ts';
import { sequenceProbes } from './sequences.ts';
import { valueProbes } from './values.ts';
import { windowProbes } from './windows.ts';

/** Drawn requests that no suite lists, made from the members and values of the suites (§2 to §8). */
export const serverInitiatedProbes: ProbeMaker = (ground, wanted) => {
  const { members = 0, values = 0, sequences = 0, chains = 0, races = 0, windows = 0 } = wanted.requests;
  const { suites, target, runs } = ground;
  const seed = roundSeed(wanted);
  const abilities = findAbilities(ground);
  const points = collectPoints(suites).filter((point) => runs(point.case.id));
  const parts = collectParts({ points, target, listed: listedParts(abilities) });
  const deviations = points.filter(
    ({ outcome, case: { client, receiver } }) => outcome !== 'accepted' && client === 'main' && receiver.length === 0,
  );
  const links = buildLinks(ground);
  return interleaveProbes(
    [
      memberProbes({ parts, points, abilities }, { seed, strength: wanted.strength, requests: members }),
      valueProbes(seed, values, abilities),
      sequenceProbes(seed, sequences, { abilities, deviations, parts }),
      ...chainedProbes(seed, chains, { ...ground, links }),
      raceProbes(seed, races, { abilities, deviations }),
      windowProbes(seed, windows, { abilities, deviations, parts, links }),
    ],
    seed,
  );
};
