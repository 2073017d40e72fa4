import { join } from 'node:path';
import { replaceFile } from '../../files/write.ts';
import { shippedSuites } from '../../setup/paths.ts';
import { generatedFiles } from './files.ts';
import { readGround } from './ground.ts';

// `npm run generate`: writes the suites that are made from tables.
for (const [path, text] of generatedFiles(await readGround())) replaceFile(join(shippedSuites, path), [text]);
