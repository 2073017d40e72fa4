// Checks the layers of src.
import { runTool } from '../own-tool.js';
import { checkPicture } from './picture.js';

const same = checkPicture(process.argv.includes('--write'));
if (!same) console.error('ARCHITECTURE.md shows other layers than ci/layers/layers.js: npm run layers -- --write');
const flags = ['--config', 'ci/layers/rules.js', '--output-type', 'err-long'];
const status = runTool('layers', 'dependency-cruiser/bin/dependency-cruise.mjs', [...flags, 'src']);
process.exitCode = same ? status : 1;
