import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageFile } from '../lib/package-file.ts';
import { preparedProgram } from './paths.ts';
import { hashProgram } from './program.ts';

// A step of the build: the program in few files, which Node finds and loads in half the time of some nine hundred.
const folder = fileURLToPath(packageFile('dist/bundle/'));
const compiled = (name: string): string => fileURLToPath(packageFile(`dist/${name}.js`));
rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: compiled('cli/main'),
    'carrier-worker': compiled('carrier/worker'),
    'prove-worker': compiled('prove/worker'),
    'prove-deep-worker': compiled('prove/deep/worker'),
    'explore-worker': compiled('prove/explore/worker'),
  },
  platform: 'node',
});
await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

// What the program is known by, in the results that it makes.
writeFileSync(preparedProgram, JSON.stringify({ digest: hashProgram() }));
