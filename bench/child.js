import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root, withFolder } from './ground.js';

const preload = `file://${root}/bench/usage.js`;

function ended(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] = (said[name] + text).slice(-2000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(said.stdout);
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${said.stderr || said.stdout}`));
    });
  });
}

/**
 * Runs Node as a process of its own, to its end. Gives its seconds of wall time, of all processors, its peak memory in MiB, when
 * it began, and the last of what it said. Throws where it does not end with 0.
 */
export async function measureChild(args, env) {
  return await withFolder(async (folder) => {
    const usage = join(folder, 'usage');
    const [beganAt, begun] = [Date.now(), performance.now()];
    const stdout = await ended(['--import', preload, ...args], { ...process.env, ...env, USAGE_FILE: usage });
    const seconds = (performance.now() - begun) / 1000;
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(usage, 'utf8'));
    return { seconds, cpu: (userCPUTime + systemCPUTime) / 1e6, mebibytes: Math.round(maxRSS / 1024), beganAt, stdout };
  });
}
