// Finds exports, files and dependencies that nothing uses.
import { runTool } from '../own-tool.js';

process.exitCode = runTool('unused', 'knip/bin/knip.js', ['--config', 'ci/unused/knip.json', '--no-progress']);
