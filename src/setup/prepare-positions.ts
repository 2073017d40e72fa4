import { writeFileSync } from 'node:fs';
import { carrierSources, findPositions } from './carrier-positions.ts';
import { carrierPositions, packageRoot } from './paths.ts';

// A step of the build: where the sources of the reference carrier define its faults and checks, for `explain`.
writeFileSync(carrierPositions, JSON.stringify(findPositions(carrierSources(packageRoot))));
