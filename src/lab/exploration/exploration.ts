import { interleaveProbes, type ProbeMaker, roundSeed } from '../explore/exploration.ts';
import { readMember } from '../../lib/json.ts';
import { findAbilities } from './abilities.ts';
import { chainableLinks, chainedProbes } from './chained-cases.ts';
import { memberProbes } from './members.ts';
import { pairProbes } from './pairs.ts';
import { readListedParts, collectParts } from './request-parts.ts';
import { collectPoints } from './request-points.ts';
import { historyProbes, raceProbes, volumeProbes, windowProbes } from './scenarios.ts';
import { sequenceProbes } from './sequences.ts';
import { byteProbes, valueProbes } from './values.ts';
import { variedProbes } from './varied-cases.ts';

/** Approximate request objects of a sequence. */
const requestsPerSequence = 8;
const requestsPerRace = 4;

/** Requests that no suite lists, made from the suites' members and values (§2 to §8) and the rows of suites/exploration. */
export const serverInitiatedProbes: ProbeMaker = (ground, wanted) => {
  const { round, strength, requests } = wanted;
  const { members = 0, values = 0, bytes = 0, sequences = 0, races = 0, volume = 0 } = requests;
  const { suites, target, runs } = ground;
  const {
    races: raceFile,
    windows,
    histories,
    volume: volumeFile,
    values: valueFile,
    bytes: byteFile,
    parts: partFile,
  } = ground.written.exploration;
  const abilities = findAbilities(ground);
  const points = collectPoints(suites).filter((point) => runs(point.case.id));
  const parts = collectParts({ points, target, listed: readListedParts(readMember(partFile, 'requests'), abilities) });
  const queries = readListedParts(readMember(partFile, 'queries'), abilities);
  const deviations = points.filter(
    ({ outcome, case: { client, receiver } }) => outcome !== 'accepted' && client === 'main' && receiver.length === 0,
  );
  const own = roundSeed(wanted);
  const links = chainableLinks(ground);
  const rows = { abilities, deviations };
  const ofMembers =
    members === 0
      ? []
      : [
          memberProbes({ parts, points, abilities }, { seed: own, strength, requests: members * 0.5 }),
          pairProbes(own, members * 0.2, { parts, points, file: partFile, abilities }),
          variedProbes(wanted, members * 0.3, { links, parts, queries }),
        ];
  return interleaveProbes(
    [
      ...ofMembers,
      valueProbes(wanted, values, valueFile, abilities),
      byteProbes(wanted, bytes, byteFile, abilities),
      windowProbes(own, sequences * 0.3, readMember(windows, 'rows'), rows),
      historyProbes(own, sequences * 0.25, readMember(histories, 'rows'), { ...rows, parts }),
      sequenceProbes(own, Math.round((sequences * 0.15) / requestsPerSequence), { ...rows, parts }),
      ...chainedProbes(own, { sequences: sequences * 0.3, volume: volume / 10 }, { ...ground, links }),
      raceProbes(own, Math.round(races / requestsPerRace), readMember(raceFile, 'rows'), rows),
      volumeProbes({ seed: own, round }, (volume * 9) / 10, volumeFile, rows),
    ],
    own,
  );
};
