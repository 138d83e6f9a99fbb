# SPDX-License-Identifier: Apache-2.0
# Writes what `program manual format` prints to output.
execute_process(COMMAND ${program} manual ${format} OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
