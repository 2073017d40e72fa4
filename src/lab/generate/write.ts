import { join } from 'node:path';
import { removeFile, replaceFile } from '../../files/write.ts';
import { shippedSuites } from '../../setup/paths.ts';
import { generatedFiles, generatedPaths } from './files.ts';
import { readGround } from './ground.ts';

// `npm run generate`: writes the suites that are made from tables. Without the old ones a mistake in them does no harm.
for (const path of generatedPaths) removeFile(join(shippedSuites, path));
for (const [path, text] of generatedFiles(await readGround())) replaceFile(join(shippedSuites, path), [text]);
