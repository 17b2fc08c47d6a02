#!/usr/bin/env node
import { runCommand } from './command-line.js';

// As the service itself does: what visitors sent is for this user alone.
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2));
