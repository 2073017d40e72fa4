import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles } from '../suite/find-files.ts';
import { packPrepared } from '../suite/yaml/prepared.ts';
import { carrierSources, findPositions } from './carrier-positions.ts';
import { carrierPositions, packageRoot, preparedSuites, shippedSuites } from './paths.ts';

// A step of the build: the shipped suites, parsed. A file that is edited afterwards is parsed as ever.
const files = await findFiles(shippedSuites, []);
const bases = readdirSync(shippedSuites).filter((name) => name.endsWith('.yaml'));
const paths = [...files.map(({ path }) => path), ...bases.map((name) => join(shippedSuites, name))];
const packed = packPrepared(paths.map((path) => readFileSync(path, 'utf8')));
writeFileSync(preparedSuites, JSON.stringify(packed));

// Where the sources of the reference carrier define its faults and checks, for `explain`.
writeFileSync(carrierPositions, JSON.stringify(findPositions(carrierSources(packageRoot))));
