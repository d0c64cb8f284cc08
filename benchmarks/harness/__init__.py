"""What every benchmark uses: settings, machine facts, fresh processes, tables, plots, servers."""
