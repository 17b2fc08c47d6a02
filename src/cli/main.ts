#!/usr/bin/env node
import { runCommand } from './command-line.js';

// Files with what visitors sent are readable by this user alone, as in the service itself.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2));
