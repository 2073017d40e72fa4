import type { Suites } from '../../suite/suites.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import { collectPoints } from '../requests/request-points.ts';
import { afterEndingCases } from './after-endings.ts';
import { besideCases } from './beside.ts';
import { conformingParts } from './conforming.ts';
import { listedParts } from './listed-parts.ts';
import { mistakeCases } from './mistakes.ts';
import { writeSuite } from './suite-text.ts';
import { togetherCases } from './together.ts';
import { wayCases } from './ways.ts';

/** Generated suites, below suites/. */
export const generatedPaths = ['request-object/generated.suite.yaml', 'server-initiated/generated.suite.yaml'] as const;
type GeneratedPath = (typeof generatedPaths)[number];

export interface GenerateGround {
  readonly suites: Suites;
  readonly abilities: TargetAbilities;
}

/** Text of each generated suite. */
export function generatedFiles({ suites, abilities }: GenerateGround): ReadonlyMap<GeneratedPath, string> {
  const points = collectPoints(suites);
  const parts = conformingParts(points, { suites, listed: listedParts });
  const ofRequests = writeSuite({
    title: 'Mistakes beside conforming values, two mistakes at once, and conforming values together',
    from: [
      'Mistakes: the requests of the listed cases that are refused. Conforming values: those of the listed cases that are accepted,',
      'and of src/lab/generate/listed-parts.ts.',
    ],
    cases: [
      ...besideCases(points, parts),
      ...mistakeCases(points, suites.rules),
      ...wayCases(points, suites.rules),
      ...togetherCases(parts, abilities),
    ],
  });
  const ofCalls = writeSuite({
    title: 'Each kind of call after each kind of ending',
    from: ['Calls and endings: src/lab/generate/after-endings.ts. The ending itself is not judged.'],
    cases: afterEndingCases,
  });
  return new Map([
    ['request-object/generated.suite.yaml', ofRequests],
    ['server-initiated/generated.suite.yaml', ofCalls],
  ]);
}
