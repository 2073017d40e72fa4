import { defineConfig } from 'vitest/config';
export default defineConfig({ root: '/work/main', test: { include: ['src/**/*.soak.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 700000, hookTimeout: 60000 } });
