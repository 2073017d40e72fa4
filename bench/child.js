import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root, withFolder } from './ground.js';

const preload = `file://${root}/bench/peak.js`;

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
      if (code === 0) resolve();
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${said.stderr || said.stdout}`));
    });
  });
}

/** Runs Node in its own process; returns its seconds and its peak memory in MiB. Throws unless it exits with 0. */
export async function measureChild(args, env) {
  return await withFolder(async (folder) => {
    const peak = join(folder, 'peak');
    const begun = performance.now();
    await ended(['--import', preload, ...args], { ...process.env, ...env, PEAK_FILE: peak });
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, mebibytes: Math.round(Number(readFileSync(peak, 'utf8')) / 1024) };
  });
}
