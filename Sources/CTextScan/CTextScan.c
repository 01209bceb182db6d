#include "CTextScan.h"
