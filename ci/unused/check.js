// Finds unused exports, files and dependencies.
import { runTool } from '../own-tool.js';

process.exitCode = runTool('unused', 'knip/bin/knip.js', ['--config', 'ci/unused/knip.json', '--no-progress']);
